package cifvi.experiments.golden;

import cifvi.bijection.Affine;
import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.Bijection;
import cifvi.bijection.Mapped;
import cifvi.bijection.RationalQuadraticSpline;
import cifvi.bijection.SplineAutoregressive;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import java.util.List;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Files of a single spline, layer or target. */
final class ComponentChecks {
  private ComponentChecks() {}

  static void spline(GoldenFile file, Comparison comparison) {
    expectAll(file, comparison);
    var inputs = new Inputs(file, file.backend());
    file.requireConfig(1e-3, "min_bin_width");
    file.requireConfig(1e-3, "min_bin_height");
    file.requireConfig(1e-3, "min_derivative");
    var spline =
        new RationalQuadraticSpline(file.requiredConfig("num_bins"), file.config(3, "tail_bound"));
    List<String> raw =
        List.of("unnormalized_widths", "unnormalized_heights", "unnormalized_derivatives");
    Tensor x = inputs.get("x");
    Tensor parameters =
        torch.cat(new TensorVector(raw.stream().map(inputs::get).toArray(Tensor[]::new)), -1);
    Mapped y =
        switch (file.type()) {
          case "forward" -> spline.forward(x, parameters);
          case "inverse" -> spline.inverse(x, parameters);
          default ->
              throw new IllegalArgumentException(
                  "type: expected forward or inverse, got " + file.type());
        };
    comparison.output("y", y.value());
    comparison.output("logabsdet", y.logDet());
    Tensor loss =
        inputs
            .weighted("cotangent_y", y.value())
            .add(inputs.weighted("cotangent_logabsdet", y.logDet()));
    inputs.requireAllUsed();
    finish(loss, comparison);
    comparison.gradient("x", x.grad());
    raw.forEach(name -> comparison.gradient(name, inputs.get(name).grad()));
  }

  static void target(GoldenFile file, Comparison comparison) {
    comparison.expectValues("outputs", file.required("outputs"));
    comparison.expectGradients(file.required("grads"));
    var inputs = new Inputs(file, file.backend());
    if (!file.type().equals("mixture")) {
      throw new IllegalArgumentException("type: expected mixture, got " + file.type());
    }
    var target = GoldenModel.mixture(file, file.backend());
    Tensor z = inputs.get("z");
    inputs.requireAllUsed();
    Tensor logP = target.logDensity(z);
    comparison.output("log_p", logP);
    comparison.output("means", target.means());
    Tensor loss = logP.sum();
    if (file.has("loss")) {
      comparison.expectValue("loss", file.number("loss"));
      comparison.value("loss", loss.item_double());
    }
    loss.backward();
    comparison.gradient("z", z.grad());
  }

  static void layer(GoldenFile file, Comparison comparison) {
    expectAll(file, comparison);
    comparison.expectValues("buffers_after_forward", file.required("buffers_after_forward"));
    var params = file.required("params");
    var buffers = file.required("buffers");
    try (var parameters = new Parameters(file.backend(), 0)) {
      var inputs = new Inputs(file, file.backend());
      var builder = new GoldenLayers(file, params, buffers);
      boolean indexed = file.type().equals("cif-affine");
      var G = indexed ? builder.indexed("", parameters) : null;
      Bijection plain = indexed ? null : builder.bijection(file.type(), "", parameters);
      GoldenModel.load(parameters, params, buffers);
      parameters.training(file.training());
      Bijection g = G == null ? java.util.Objects.requireNonNull(plain) : G.at(inputs.get("u"));
      Tensor x = inputs.get("x");
      Mapped z = g.forward(x);
      comparison.output("z", z.value());
      comparison.output("log_jac", z.logDet());
      internals(g, x, comparison);
      inverse(g, z.value(), comparison);
      Tensor loss =
          inputs
              .weighted("cotangent_z", z.value())
              .add(inputs.weighted("cotangent_log_jac", z.logDet()));
      inputs.requireAllUsed();
      finish(loss, comparison);
      GoldenModel.gradients(parameters, List.copyOf(params.keySet()), comparison);
      comparison.gradient("x", x.grad());
      if (indexed) {
        comparison.gradient("u", inputs.get("u").grad());
      }
      bufferChanges(parameters, file, comparison);
    }
  }

  /** Compares the buffers that a forward pass in training changes, once they have changed. */
  static void bufferChanges(Parameters parameters, GoldenFile file, Comparison comparison) {
    if (file.training()) {
      parameters.stepDone();
    }
    parameters
        .buffers()
        .forEach(
            (name, buffer) -> {
              if (name.endsWith("running_mean") || name.endsWith("running_var")) {
                comparison.value("buffers_after_forward " + theirs(name), Backend.doubles(buffer));
              }
            });
  }

  private static String theirs(String name) {
    return name.replaceFirst("^layers\\.(\\d+)\\.", "L$1.");
  }

  private static void internals(Bijection g, Tensor x, Comparison comparison) {
    try (var _ = new NoGradGuard()) {
      switch (g) {
        case SplineAutoregressive nsf -> comparison.output("made_output", nsf.raw(x));
        case AffineAutoregressive maf -> {
          Tensor outputs = maf.meanAndLogScale(x);
          comparison.output("mean", outputs.select(-1, 0));
          comparison.output("log_std", outputs.select(-1, 1));
        }
        case Affine affine -> {
          comparison.output("t", affine.t());
          comparison.output("s", affine.s());
        }
        default -> {}
      }
    }
  }

  /**
   * Some files hold the way back too; the reference has none for LU and for batch norm in training.
   */
  private static void inverse(Bijection g, Tensor z, Comparison comparison) {
    if (comparison.expects("outputs", "inverse_x")
        || comparison.expects("outputs", "inverse_log_jac")) {
      try (var _ = new NoGradGuard()) {
        Mapped back = g.inverse(z);
        comparison.output("inverse_x", back.value());
        comparison.output("inverse_log_jac", back.logDet());
      }
    }
  }

  static void expectAll(GoldenFile file, Comparison comparison) {
    comparison.expectValues("outputs", file.required("outputs"));
    comparison.expectGradients(file.required("grads"));
    comparison.expectValue("loss", file.number("loss"));
  }

  static void finish(Tensor loss, Comparison comparison) {
    comparison.value("loss", loss.item_double());
    loss.backward();
  }
}
