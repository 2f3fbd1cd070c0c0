package cifvi.engine.internal.fused;

import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.nn.FlatParameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.zip.CRC32;
import org.bytedeco.pytorch.Tensor;

/** Every bit that the kernels compute for some small models; a program that another JVM can run. */
final class Bits {
  /** The argument that asks for kernels that are compiled before. */
  static final String HOT = "hot";

  static final String COLD = "cold";

  /** As many calls as it takes the compiler to be done with a method. */
  private static final int CALLS = 20_000;

  private Bits() {}

  static final List<Case> SHAPES =
      List.of(
          Shape.mog(true, 9).withBase(1, true, 3),
          Shape.of(5, 4, false),
          Shape.of(3, 8, true),
          new FusedModels.Affine(5, 20, false),
          new FusedModels.Affine(5, 20, true),
          new OneLayer(OneLayer.Kind.LU, 0.5),
          new OneLayer(OneLayer.Kind.SINH_ARCSINH, 0.5),
          new OneLayer(OneLayer.Kind.MEAN_FIELD, 0.5),
          new OneLayer(OneLayer.Kind.DATA, 0.5),
          new ImageShape(ImageShape.Flow.SPLINE, true, 2, 1, 5, 4),
          new ImageShape(ImageShape.Flow.SPLINE, false, 2, 0, 1, 4));

  /** What would take an interpreter minutes. */
  static final List<Case> LARGE = List.of(LargeDecoderShape.vae(1));

  public static void main(String[] args) {
    if (args[0].equals(HOT)) {
      heat();
      System.out.println(all(SHAPES) + " " + all(LARGE));
    } else {
      System.out.println(all(SHAPES));
    }
  }

  /** Calls every kernel often, on few rows: one block of them fills all tiles of a product. */
  static void heat() {
    var backend = Backend.cpu(Precision.FLOAT32);
    var rng = new CounterRng(backend, 2, Purpose.MARGINAL);
    for (Case shape : SHAPES) {
      try (Model model = shape.build(backend);
          var engine =
              new FusedEngine(
                  model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 1, 1));
          var weights = new FusedLogWeights(model, 1)) {
        var x = shape.x(backend, 64);
        var few = shape.x(backend, 8);
        double[] z = weights.draw(x, 1, rng).z();
        for (int i = 0; i < CALLS / SHAPES.size(); i++) {
          engine.step(i, 1e-4, i % 2 == 0 ? x : few);
          weights.backward(z, x, 1, rng);
        }
      }
    }
  }

  /**
   * Check sums of three steps and of the log-weights, forward and inverse, a line for each model.
   */
  static String all(List<Case> shapes) {
    var lines = new ArrayList<String>();
    var backend = Backend.cpu(Precision.FLOAT32);
    for (Case shape : shapes) {
      try (Model model = shape.build(backend);
          var engine =
              new FusedEngine(
                  model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 1, 2));
          var weights = new FusedLogWeights(model, 2)) {
        var crc = new CRC32();
        for (int i = 0; i < 3; i++) {
          var info = engine.step(i, 1e-3, shape.x(backend, i == 0 ? 125 : 9));
          add(crc, info.objective());
          add(crc, info.gradientNorm());
          add(crc, model.parameters().flat().gradient());
        }
        add(crc, model.parameters().flat().values());
        var rng = new CounterRng(backend, 2, Purpose.MARGINAL);
        var x = shape.x(backend, 9);
        var draws = weights.draw(x, 1, rng);
        add(crc, draws.delta());
        add(crc, draws.logJoint());
        add(crc, weights.backward(draws.z(), x, 4, rng));
        lines.add(Long.toHexString(crc.getValue()));
      }
    }
    return String.join(" ", lines);
  }

  private static void add(CRC32 crc, Tensor flat) {
    float[] values = FlatParameters.memory(flat).toArray(ValueLayout.JAVA_FLOAT);
    for (float value : values) {
      add(crc, Float.floatToRawIntBits(value));
    }
  }

  private static void add(CRC32 crc, double... values) {
    for (double value : values) {
      add(crc, Double.doubleToRawLongBits(value));
    }
  }

  private static void add(CRC32 crc, long bits) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      crc.update((int) (bits >>> shift));
    }
  }
}
