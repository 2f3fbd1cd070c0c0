package cifvi.experiments.golden;

import cifvi.distribution.Observation;
import cifvi.nn.Images;
import cifvi.tensor.Backend;
import cifvi.vi.ForwardWeights;
import cifvi.vi.LogMeanExp;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import java.util.Arrays;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/** Files of whole posteriors: bounds with all gradients, and the estimators. */
final class PosteriorChecks {
  private PosteriorChecks() {}

  /** Algorithm 1 term by term, then the bound itself and all its gradients. */
  static void elbo(GoldenFile file, Comparison comparison) {
    ComponentChecks.expectAll(file, comparison);
    comparison.expectValues("buffers_after_forward", file.required("buffers_after_forward"));
    try (var golden = GoldenModel.build(file)) {
      var rng = golden.noise();
      Observation x = golden.observation(rng.rows());
      try (var _ = new NoGradGuard()) {
        new PosteriorWalk(golden.model(), comparison).forward(x, rng);
      }
      Tensor elbo = new Objective.Elbo().value(golden.model(), x, rng);
      rng.requireAllUsed();
      comparison.output("elbo", elbo);
      ComponentChecks.finish(elbo.mean().neg(), comparison);
      golden.compareGradients(comparison);
      ComponentChecks.bufferChanges(golden.model().parameters(), file, comparison);
    }
  }

  /** Eq. 22 for given z: M paths back for each, row i·M + j. */
  static void marginalElbo(GoldenFile file, Comparison comparison) {
    comparison.expectValues("outputs", file.required("outputs"));
    comparison.expectValue("estimate", file.number("estimate"));
    try (var golden = GoldenModel.build(file);
        var _ = new NoGradGuard()) {
      int m = file.requiredConfig("M");
      var rng = golden.noise();
      Tensor z = golden.input("z");
      Observation x = golden.observation(z.size(0));
      rng.requireRows(z.size(0) * m);
      Tensor paths = z.repeat_interleave(m, new LongOptional(0), new LongOptional());
      new PosteriorWalk(golden.model(), comparison).backward(paths, x.repeat(m), rng);
      Tensor logWeight = golden.model().posterior().logWeight(paths, x.repeat(m), rng);
      rng.requireAllUsed();
      comparison.output("log_weight", logWeight);
      double[] logP = Backend.doubles(golden.model().target().logJoint(x, z));
      double[] logQ = logMeanExp(Backend.doubles(logWeight), m);
      double[] perZ = new double[logP.length];
      Arrays.setAll(perZ, i -> logP[i] - logQ[i]);
      comparison.value("outputs log_p", logP);
      comparison.value("outputs log_q_hat", logQ);
      comparison.value("outputs marginal_elbo_per_z", perZ);
      comparison.value("estimate", Arrays.stream(perZ).average().orElseThrow());
    }
  }

  /** Eqs. 20 and 21 with S samples an image, row i·S + s. */
  static void logLikelihood(GoldenFile file, Comparison comparison) {
    comparison.expectValues("outputs", file.required("outputs"));
    try (var golden = GoldenModel.build(file);
        var _ = new NoGradGuard()) {
      int samples = file.requiredConfig("S");
      var rng = golden.noise();
      Observation x = golden.observation(1);
      rng.requireRows(x.rows() * samples);
      Tensor elbos =
          new Objective.Elbo().value(golden.model(), x.repeat(samples), rng).view(-1, samples);
      comparison.output("elbo_mean", elbos.mean(1));
      var estimator = new ForwardWeights(golden.model(), 2L * samples, Progress.SILENT);
      double[] logProb =
          Arrays.stream(estimator.logLikelihoods(x, samples, rng))
              .mapToDouble(LogMeanExp::value)
              .toArray();
      rng.requireAllUsed();
      comparison.value("outputs log_prob", logProb);
      comparison.value(
          "outputs bits_per_dim",
          Arrays.stream(logProb).map(v -> -v / Images.PIXELS / Math.log(2)).toArray());
    }
  }

  /** The importance-weighted bound with K samples an image, row i·K + k. */
  static void iwae(GoldenFile file, Comparison comparison) {
    ComponentChecks.expectAll(file, comparison);
    try (var golden = GoldenModel.build(file)) {
      int k = file.requiredConfig("K");
      var rng = golden.noise();
      Observation x = golden.observation(1);
      rng.requireRows(x.rows() * k);
      try (var _ = new NoGradGuard()) {
        comparison.output("log_w", new Objective.Elbo().value(golden.model(), x.repeat(k), rng));
      }
      Tensor bound = new Objective.Iwae(k).value(golden.model(), x, rng);
      rng.requireAllUsed();
      comparison.output("iwae", bound);
      ComponentChecks.finish(bound.mean().neg(), comparison);
      golden.compareGradients(comparison);
    }
  }

  private static double[] logMeanExp(double[] values, int groupSize) {
    double[] means = new double[values.length / groupSize];
    for (int i = 0; i < means.length; i++) {
      var mean = new LogMeanExp();
      Arrays.stream(values, i * groupSize, (i + 1) * groupSize).forEach(mean::add);
      means[i] = mean.value();
    }
    return means;
  }
}
