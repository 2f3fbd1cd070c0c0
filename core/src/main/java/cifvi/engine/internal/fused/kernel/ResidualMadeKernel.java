package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.math.FloatMath;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.Linear;
import cifvi.nn.ResidualMade;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link ResidualMade}: h = L x, then h ← h + L₁ relu(L₀ relu(h)) for every block, raw = L' h.
 *
 * <p>Saved for the backward pass are the relus, which are the inputs of the linear maps and say
 * where the derivative is 1, and the last h.
 */
public final class ResidualMadeKernel {
  /** One residual block with the places of its two relus. */
  private record Block(LinearKernel linear0, LinearKernel linear1, int relu0, int relu1) {}

  private final Layout.Var in;
  private final LinearKernel first;
  private final Block[] blocks;
  private final LinearKernel last;
  private final int width;
  private final int h;
  private final int dh;
  private final int inner;
  private final int outer;

  ResidualMadeKernel(
      ResidualMade made, Layout.Var in, Weights weights, Layout layout, Layout.Scratch scratch) {
    this.in = in;
    int panels = scratch.rows(LinearKernel.scratch(linears(made)));
    first = new LinearKernel(made.first(), weights, layout, panels);
    width = first.outputs;
    h = layout.rows(width);
    blocks =
        made.blocks().stream()
            .map(
                block ->
                    new Block(
                        new LinearKernel(block.linear0(), weights, layout, panels),
                        new LinearKernel(block.linear1(), weights, layout, panels),
                        layout.rows(width),
                        layout.rows(width)))
            .toArray(Block[]::new);
    last = new LinearKernel(made.last(), weights, layout, panels);
    dh = scratch.rows(width);
    inner = scratch.rows(width);
    outer = scratch.rows(width);
  }

  private static List<Linear> linears(ResidualMade made) {
    var all = new ArrayList<Linear>(List.of(made.first(), made.last()));
    made.blocks().forEach(block -> all.addAll(List.of(block.linear0(), block.linear1())));
    return all;
  }

  /** Writes all outputs to {@code raw}. */
  void forward(Tape tape, int raw) {
    hidden(tape);
    last.forward(tape, tape.values, h, tape.values, raw);
  }

  /** Computes what outputs share. */
  void hidden(Tape tape) {
    float[] values = tape.values;
    first.forward(tape, values, in.at(), values, h);
    for (Block block : blocks) {
      relu(values, h, block.relu0, width, tape.padded);
      block.linear0.forward(tape, values, block.relu0, values, block.relu1);
      relu(values, block.relu1, block.relu1, width, tape.padded);
      block.linear1.addForward(tape, values, block.relu1, values, h);
    }
  }

  /** Outputs {@code from} to {@code to - 1}, in their places after {@code raw}. */
  void outputs(Tape tape, int raw, int from, int to) {
    last.forward(tape, tape.values, h, tape.values, raw, from, to);
  }

  /** From the gradients of all outputs, in scratch memory, to those of input and parameters. */
  void backward(Tape tape, int dRaw) {
    float[] scratch = tape.scratch;
    float[] values = tape.values;
    clear(scratch, dh);
    last.backward(tape, values, h, scratch, dRaw, scratch, dh);
    for (int b = blocks.length - 1; b >= 0; b--) {
      Block block = blocks[b];
      clear(scratch, inner);
      block.linear1.backward(tape, values, block.relu1, scratch, dh, scratch, inner);
      mask(scratch, inner, values, block.relu1, width, tape.padded);
      clear(scratch, outer);
      block.linear0.backward(tape, values, block.relu0, scratch, inner, scratch, outer);
      mask(scratch, outer, values, block.relu0, width, tape.padded);
      add(scratch, dh, outer, width, tape.padded);
    }
    first.backward(tape, values, in.at(), scratch, dh, tape.gradients, in.gradient());
  }

  private void clear(float[] a, int at) {
    Arrays.fill(a, at, at + width * STRIDE, 0);
  }

  private static void relu(float[] a, int from, int to, int columns, int rows) {
    for (int c = 0; c < columns; c++) {
      for (int s = 0; s < rows; s += COUNT) {
        FloatMath.relu(fromArray(SPECIES, a, from + c * STRIDE + s))
            .intoArray(a, to + c * STRIDE + s);
      }
    }
  }

  /** Sets d to zero where the relu is. */
  private static void mask(float[] d, int at, float[] relu, int reluAt, int columns, int rows) {
    for (int c = 0; c < columns; c++) {
      for (int s = 0; s < rows; s += COUNT) {
        var off = fromArray(SPECIES, relu, reluAt + c * STRIDE + s).compare(VectorOperators.LE, 0f);
        fromArray(SPECIES, d, at + c * STRIDE + s)
            .blend(broadcast(SPECIES, 0), off)
            .intoArray(d, at + c * STRIDE + s);
      }
    }
  }

  private static void add(float[] a, int to, int from, int columns, int rows) {
    for (int c = 0; c < columns * STRIDE; c += STRIDE) {
      for (int s = c; s < c + rows; s += COUNT) {
        fromArray(SPECIES, a, to + s).add(fromArray(SPECIES, a, from + s)).intoArray(a, to + s);
      }
    }
  }
}
