package cifvi.engine.internal.graph.program;

import cifvi.tensor.Backend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * What a program is made of, while it is compiled: variables, operations in the order of the
 * forward pass, and the numbers and jobs they refer to.
 */
public final class OpLayout extends Stages {
  public final List<Variable> variables = new ArrayList<>();
  final List<Variable> saved = new ArrayList<>();
  final List<Variable> gradientRows = new ArrayList<>();

  /** Streams and where their noise is read. */
  public final Map<Integer, Variable> noise = new LinkedHashMap<>();

  final List<Integer> integers = new ArrayList<>();
  private final List<Float> constants = new ArrayList<>();
  public final List<PrepareJob> prepareJobs = new ArrayList<>();
  public final List<WeightMap> maps = new ArrayList<>();
  private int prepared;

  Variable variable(int size) {
    int number = variables.size();
    var variable = new Variable(number, size, number);
    variables.add(variable);
    return variable;
  }

  /** What a segment gives, a variable that nobody else writes, is read from the tape here. */
  void imported(Variable variable) {
    save(variable);
    add(Op.of(OpKind.IMPORT, List.of(), List.of(variable)));
  }

  @Override
  Variable sharing(Variable of) {
    var variable = new Variable(variables.size(), of.size(), of.place());
    variables.add(variable);
    save(variable);
    return variable;
  }

  /** Leaves a variable on the tape even where no backward pass follows. */
  void save(Variable variable) {
    saved.add(variable);
  }

  /** Where a program reads the noise of a stream. */
  public Variable noise(int stream, int size) {
    Variable variable = variable(size);
    save(variable);
    noise.put(stream, variable);
    return variable;
  }

  /** Where an operation leaves gradients of weights row by row. */
  Variable gradientRows(int size) {
    Variable variable = variable(size);
    gradientRows.add(variable);
    return variable;
  }

  /** The place of some integers behind the operations. */
  int integers(int... values) {
    int at = integers.size();
    for (int value : values) {
      integers.add(value);
    }
    return at;
  }

  /** The place of some constants. */
  public int constants(float... values) {
    int at = constants.size();
    for (float value : values) {
      constants.add(value);
    }
    return at;
  }

  /** The same for a tensor that is not trained. */
  public int constants(Tensor tensor) {
    int at = constants.size();
    for (double value : Backend.doubles(tensor)) {
      constants.add((float) value);
    }
    return at;
  }

  /** Room for numbers that are made, of the weights or of the batch, before rows need them. */
  public int prepared(int size) {
    int at = prepared;
    prepared += Math.ceilDiv(size, 4) * 4; // 16 bytes
    return at;
  }

  void prepare(PrepareJob job) {
    prepareJobs.add(job);
  }

  void train(WeightMap map) {
    maps.add(map);
  }

  /** All constants; at least one, since an empty tensor has no memory. */
  public float[] constants() {
    float[] values = new float[Math.max(1, constants.size())];
    for (int i = 0; i < constants.size(); i++) {
      values[i] = constants.get(i);
    }
    return values;
  }

  public int prepared() {
    return prepared;
  }
}
