package cifvi.engine.internal.fused;

import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Mapped;
import cifvi.bijection.Permutation;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.engine.internal.graph.program.DeviceCompiler;
import cifvi.engine.internal.plan.Plan;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Scalars;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Tensor;

/**
 * What a bijection that no engine knows costs: the mixture CIF-NSF of the paper (K = 9, placement
 * paper) whose third flow step is one of the user's own in place of the spline. Prints how many
 * parts of its plan have kernels, for the CPU and, compiled without a device, for a GPU; and the
 * time of a step on a device, its engines taking turns. Results are in results/engine.
 */
public final class ThirdLayer {
  private static final int FEATURES = 2;
  private static final int SAMPLES = 1000;
  private static final Objective ELBO = new Objective.Elbo();

  private ThirdLayer() {}

  /** z = w + tanh(w) / 2, feature by feature. */
  private record Own() implements Bijection {
    @Override
    public Mapped forward(Tensor w) {
      Tensor tanh = w.tanh();
      Tensor slope = tanh.mul(tanh).neg().add(Scalars.of(3)).div(Scalars.of(2));
      return new Mapped(w.add(tanh, Scalars.of(0.5)), slope.log().sum(1));
    }

    @Override
    public Mapped inverse(Tensor z) {
      throw new UnsupportedOperationException("training does not ask for it");
    }
  }

  private static Model model(String device) {
    var backend = Backend.of(device, Precision.FLOAT32);
    var parameters = new Parameters(backend, 1);
    var options = new SplineAutoregressive.Options(32, 2, 8, 3);
    List<Layer> layers = new ArrayList<>();
    layers.add(new FlowLayer(Permutation.random(parameters.in("layers.0"), FEATURES)));
    for (int i = 1; i <= 5; i++) {
      var here = parameters.in("layers." + i);
      Bijection g = i == 3 ? new Own() : new SplineAutoregressive(here, FEATURES, options);
      Bijection both = Chain.of(g, Permutation.random(here, FEATURES));
      layers.add(CifLayer.gaussian(here, both, FEATURES, 1, 10, 10));
    }
    var base = NormalBase.create(parameters.in("base"), FEATURES, 1, false);
    return new Model(new Posterior(base, layers), MixtureTarget.paper(backend, 9), parameters);
  }

  private static void print(String engine, Plan plan, String ms) {
    int torch = plan.pieces().size();
    int parts = plan.parts().size();
    System.out.printf("%s,%d,%d,%d,%s%n", engine, parts, parts - torch, torch, ms);
  }

  /**
   * Run with the number of steps to time, 0 for none, and the device.
   *
   * @param args the number of steps, the device
   */
  public static void main(String[] args) {
    int steps = args.length == 0 ? 200 : Integer.parseInt(args[0]);
    String device = args.length < 2 ? "cpu" : args[1];
    Model model = model(device);
    var kernels = model.parameters().backend().cuda() ? Engines.Kind.GRAPH : Engines.Kind.FUSED;
    double[][] ms = times(steps, device, List.of(Engines.Kind.EAGER, kernels));
    System.out.println("engine,parts,in_kernels,libtorch,ms_a_step");
    System.out.printf("eager,,,,%s%n", median(ms[0]));
    boolean fused = kernels == Engines.Kind.FUSED;
    print("fused", Compiler.plan(model("cpu"), ELBO), fused ? median(ms[1]) : "");
    print("graph", DeviceCompiler.plan(model, ELBO), fused ? "" : median(ms[1]));
    System.err.println(Engines.choose("auto", model, ELBO));
  }

  /** Milliseconds of steps by each engine, one thread each, in turns. */
  private static double[][] times(int steps, String device, List<Engines.Kind> kinds) {
    int warmUp = steps / 2;
    double[][] ms = new double[kinds.size()][steps];
    var options = new StepOptions(OptionalDouble.empty(), 1, 1);
    var engines =
        kinds.stream().map(kind -> Engines.start(kind, model(device), ELBO, options)).toList();
    for (int i = 0; i < warmUp + steps; i++) {
      for (int e = 0; e < engines.size(); e++) {
        long start = System.nanoTime();
        engines.get(e).step(i, 1e-3, Observation.none(SAMPLES));
        engines.get(e).finish();
        if (i >= warmUp) {
          ms[e][i - warmUp] = (System.nanoTime() - start) / 1e6;
        }
      }
    }
    engines.forEach(StepEngine::close);
    return ms;
  }

  private static String median(double[] ms) {
    Arrays.sort(ms);
    return ms.length == 0 ? "" : "%.2f".formatted(ms[ms.length / 2]);
  }
}
