package cifvi.engine.internal.graph.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A program as the numbers its kernel walks through: who lies where, in the shared memory of a
 * block and on the tape, and which operation does what.
 *
 * @param words variables, operations, and the integers these refer to
 * @param saved column of every variable on the tape, -1 for those that are not there
 * @param gradientSaved the same for gradients
 * @param ends column of a row's shared memory behind every variable and its gradient
 * @param columns of the tape
 * @param width parts in which the log-weight of a row is summed
 */
@SuppressWarnings("ArrayRecordComponent") // built once, never compared
public record OpTable(
    int[] words, int[] saved, int[] gradientSaved, int[] ends, int columns, int width) {
  private static final int NONE = -1;

  /** Ints a variable takes: size, slot, saved, slot and saved of the gradient. */
  public static final int VARIABLE_WORDS = 5;

  /**
   * The table of a program.
   *
   * @param training whether a backward pass follows, for which everything is saved
   */
  public static OpTable of(OpLayout layout, boolean training) {
    var values = new Slots();
    var gradients = new Slots();
    needs(layout, values, gradients);
    int count = layout.variables.size();
    int[] slots = values.allocate(count);
    int[] gradientSlots = training ? gradients.allocate(count) : none(count);
    var tape = new Tape();
    int[] saved = tape.values(layout.variables, savedValues(layout, training));
    int[] gradientSaved =
        tape.gradients(
            layout.variables, training ? savedGradients(layout, gradientSlots) : Set.of());
    int[] words = words(layout, slots, saved, gradientSlots, gradientSaved);
    int[] ends = new int[count];
    Arrays.setAll(ends, n -> Math.max(slots[n], gradientSlots[n]) + layout.variables.get(n).size());
    int width = layout.ops().stream().mapToInt(Op::terms).max().orElseThrow();
    return new OpTable(words, saved, gradientSaved, ends, tape.columns, width);
  }

  /** Columns of shared memory that a row takes during some operations. */
  public int slots(List<Op> ops) {
    return ops.stream()
        .flatMap(op -> Stream.concat(op.in().stream(), op.out().stream()))
        .mapToInt(v -> ends[v.number()])
        .max()
        .orElse(0);
  }

  /** Hands out columns of the tape. */
  private static final class Tape {
    int columns;

    int[] values(List<Variable> variables, Set<Integer> places) {
      int[] at = none(variables.size());
      for (Variable v : variables) {
        if (places.contains(v.place())) {
          at[v.number()] = v.place() == v.number() ? place(v) : at[v.place()];
        }
      }
      return at;
    }

    int[] gradients(List<Variable> variables, Set<Integer> numbers) {
      int[] at = none(variables.size());
      for (Variable v : variables) {
        if (numbers.contains(v.number())) {
          at[v.number()] = place(v);
        }
      }
      return at;
    }

    private int place(Variable v) {
      columns += v.size();
      return columns - v.size();
    }
  }

  private static int[] none(int count) {
    int[] places = new int[count];
    Arrays.fill(places, NONE);
    return places;
  }

  /** From its definition to its last use; a gradient from its first part back to the definition. */
  private static void needs(OpLayout layout, Slots values, Slots gradients) {
    int count = layout.variables.size();
    int[] defined = none(count);
    int[] used = none(count);
    int[] contributed = none(count);
    List<Op> ops = layout.ops();
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      for (Variable v : op.in()) {
        used[v.number()] = i;
      }
      for (Variable v : op.differentiable()) {
        contributed[v.number()] = i;
      }
      for (Variable v : op.out()) {
        defined[v.number()] = i;
        used[v.number()] = i;
      }
      if (op.kind().saves == OpKind.Saves.SCRATCH) {
        contributed[op.out().getFirst().number()] = i;
      }
    }
    for (Variable v : layout.variables) {
      int n = v.number();
      if (defined[n] != NONE) {
        values.need(n, v.size(), defined[n], used[n]);
        if (contributed[n] != NONE) {
          gradients.need(n, v.size(), defined[n], contributed[n]);
        }
      }
    }
  }

  private static Set<Integer> savedValues(OpLayout layout, boolean training) {
    Set<Integer> places = new HashSet<>();
    layout.saved.forEach(v -> places.add(v.place()));
    if (training) {
      layout.variables.forEach(v -> places.add(v.place()));
      layout.gradientRows.forEach(v -> places.remove(v.place()));
    }
    return places;
  }

  /** Those of linear maps, for their weights, and those that pass a boundary. */
  private static Set<Integer> savedGradients(OpLayout layout, int[] gradientSlots) {
    Set<Integer> numbers = new HashSet<>();
    layout.gradientRows.forEach(v -> numbers.add(v.number()));
    for (Op op : layout.ops()) {
      if (op.kind() == OpKind.EXPORT) {
        numbers.add(op.parameters().getFirst());
      } else if (op.kind().saves == OpKind.Saves.GRADIENT_OF_Y
          || (op.kind() == OpKind.IMPORT && gradientSlots[op.out().getFirst().number()] != NONE)) {
        numbers.add(op.out().getFirst().number());
      }
    }
    return numbers;
  }

  private static int[] words(
      OpLayout layout, int[] slots, int[] saved, int[] gradientSlots, int[] gradientSaved) {
    var words = new ArrayList<Integer>();
    for (Variable v : layout.variables) {
      int n = v.number();
      words.addAll(List.of(v.size(), slots[n], saved[n], gradientSlots[n], gradientSaved[n]));
    }
    List<Op> ops = layout.ops();
    int[] adds = adds(ops);
    int integers = words.size() + ops.size() * Op.WORDS;
    for (int i = 0; i < adds.length; i++) {
      words.addAll(words(ops.get(i), adds[i], integers));
    }
    words.addAll(layout.integers);
    return words.stream().mapToInt(n -> n).toArray();
  }

  /**
   * Bit j of number i: the j-th input of operation i has a part of its gradient already when the
   * backward pass comes to it.
   */
  private static int[] adds(List<Op> ops) {
    int[] adds = new int[ops.size()];
    Set<Variable> started = new HashSet<>();
    for (int i = adds.length - 1; i >= 0; i--) {
      List<Variable> inputs = ops.get(i).differentiable();
      for (int j = 0; j < inputs.size(); j++) {
        adds[i] |= started.add(inputs.get(j)) ? 0 : 1 << j;
      }
    }
    return adds;
  }

  /** The line of an operation, whose parameters may refer to the integers behind all lines. */
  private static List<Integer> words(Op op, int adds, int integers) {
    Integer[] words = new Integer[Op.WORDS];
    Arrays.fill(words, NONE);
    words[0] = op.kind().code();
    for (int j = 0; j < op.in().size(); j++) {
      words[1 + j] = op.in().get(j).number();
    }
    for (int j = 0; j < op.out().size(); j++) {
      words[1 + Op.INPUTS + j] = op.out().get(j).number();
    }
    int flags = 1 + Op.INPUTS + Op.OUTPUTS;
    words[flags] = adds;
    for (int j = 0; j < op.parameters().size(); j++) {
      words[flags + 1 + j] = op.parameters().get(j);
    }
    if (op.kind() == OpKind.PERMUTE) {
      words[flags + 1] += integers;
    }
    return List.of(words);
  }
}
