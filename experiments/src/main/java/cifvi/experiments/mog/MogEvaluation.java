package cifvi.experiments.mog;

import cifvi.distribution.Observation;
import cifvi.experiments.parts.PartRow;
import cifvi.experiments.parts.PartUnits;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.BoundLadder;
import cifvi.vi.Estimate;
import cifvi.vi.ForwardWeights;
import cifvi.vi.LogMeanExp;
import cifvi.vi.LogWeights;
import cifvi.vi.MarginalElbo;
import cifvi.vi.Model;
import cifvi.vi.Progress;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;

/**
 * What is computed of a trained mixture model; every estimate has noise of its own, so asking for
 * one changes no other.
 */
public record MogEvaluation(Model model, LogWeights weights, long seed, long chunk) {
  /**
   * Draws computed at a time: few enough to stay in the processor's cache and within some 100 MB.
   */
  private static final long CHUNK = 8_000;

  /** The same on a GPU: many enough to keep it busy, few enough for 16 runs at once, 2 GB each. */
  private static final long CHUNK_ON_GPU = 50_000;

  /** Paths of one z that one machine computes, some ten seconds of a core. */
  private static final long PART = 10_000_000;

  /** By the model's own code. */
  public MogEvaluation(Model model, long seed) {
    this(model, LogWeights.eager(model), seed);
  }

  public MogEvaluation(Model model, LogWeights weights, long seed) {
    this(model, weights, seed, model.parameters().backend().cuda() ? CHUNK_ON_GPU : CHUNK);
  }

  private static final double MODE_RADIUS = 3 * 0.25;
  private static final double MODE_SHARE = 0.2;

  /**
   * How the draws spread over the modes.
   *
   * @param covered modes that hold more than 0.2/K of the draws within three standard deviations
   * @param offModeMass share of the draws within that distance of no mode
   */
  public record Modes(int covered, double offModeMass) {}

  /** The auxiliary ELBO. */
  public Estimate elbo(long samples, Progress progress) {
    return new ForwardWeights(weights, chunk, progress)
        .auxiliaryElbo(Observation.none(1), samples, rng(Purpose.EVALUATE, 0));
  }

  /** log Z from the joint weights p r / q(z, u): 0 where every mode is covered. */
  public Estimate logZ(long samples, Progress progress) {
    LogMeanExp[] mean =
        new ForwardWeights(weights, chunk, progress)
            .logLikelihoods(Observation.none(1), samples, rng(Purpose.LIKELIHOOD, 0));
    return mean[0].estimate();
  }

  /** The importance-weighted bound with k draws, the mean over so many groups of them. */
  Estimate iwae(long groups, int k, Progress progress) {
    return new ForwardWeights(weights, chunk, progress)
        .logLikelihood(Observation.none(groups), k, rng(Purpose.LIKELIHOOD, k));
  }

  /** The bounds between the auxiliary ELBO and eq. 22, all of the same {@code outer} z. */
  BoundLadder ladder(long outer, List<Long> inners, Progress progress) {
    return new MarginalElbo(weights, chunk, progress)
        .ladder(Observation.none(outer), inners, rng(Purpose.SAMPLE, 0), rng(Purpose.MARGINAL, 0));
  }

  /**
   * The bracket around the marginal ELBO from {@code outer} z with {@code inner} paths each;
   * repeats are independent.
   */
  public MarginalElbo.Bracket marginalElbo(long outer, long inner, long repeat, Progress progress) {
    return new MarginalElbo(weights, chunk, progress)
        .estimate(
            Observation.none(outer),
            inner,
            rng(Purpose.SAMPLE, repeat),
            rng(Purpose.MARGINAL, repeat));
  }

  /** How the same estimate is cut into parts for several machines. */
  public PartUnits units(long outer, long inner) {
    boolean explicit = weights.explicit();
    return new PartUnits(
        outer,
        explicit ? 1 : inner,
        new MarginalElbo(weights, chunk, Progress.SILENT).rowsAtATime(inner),
        Math.ceilDiv(PART, chunk) * chunk);
  }

  /** One part of the estimate. */
  public List<PartRow> part(
      long outer, long inner, long repeat, PartUnits.Unit unit, Progress progress) {
    var marginal = new MarginalElbo(weights, chunk, progress);
    CounterRng z = rng(Purpose.SAMPLE, repeat);
    CounterRng u = rng(Purpose.MARGINAL, repeat);
    var rows = new ArrayList<PartRow>();
    if (units(outer, inner).isWhole()) {
      marginal.forEach(
          Observation.none(unit.rows()),
          unit.row(),
          inner,
          z,
          u,
          (row, term) -> rows.add(row(unit.row() + row, 0, term)));
    } else {
      rows.add(
          row(
              unit.row(),
              unit.from(),
              marginal.part(Observation.none(1), unit.row(), inner, unit.from(), unit.to(), z, u)));
    }
    return rows;
  }

  private static PartRow row(long row, long draw, MarginalElbo.Term term) {
    return PartRow.of(row, draw, term.logJoint(), term.delta(), term.paths().state());
  }

  /** The estimate from all its parts, in the order of rows and draws. */
  public static MarginalElbo.Bracket marginalElbo(List<PartRow> parts) {
    var terms = new ArrayList<MarginalElbo.Term>();
    for (PartRow part : parts) {
      if (part.draw() == 0) {
        terms.add(new MarginalElbo.Term(part.logJoint(), part.delta(), new LogMeanExp()));
      }
      terms.getLast().paths().add(part.state());
    }
    return MarginalElbo.bracket(terms);
  }

  /** Counts {@code samples} draws by the nearest mode. */
  public Modes modes(int samples) {
    double[] means;
    try (var _ = new PointerScope()) {
      means = Backend.doubles(((MixtureTarget) model.target()).means());
    }
    double[] draws = weights.draw(Observation.none(samples), 1, rng(Purpose.EVALUATE, 1)).z();
    int components = means.length / 2;
    int[] counts = new int[components];
    int off = 0;
    for (int i = 0; i < draws.length; i += 2) {
      int mode = nearest(means, draws[i], draws[i + 1]);
      double distance = Math.hypot(draws[i] - means[2 * mode], draws[i + 1] - means[2 * mode + 1]);
      if (distance <= MODE_RADIUS) {
        counts[mode]++;
      } else {
        off++;
      }
    }
    int covered = 0;
    for (int count : counts) {
      covered += count > MODE_SHARE / components * samples ? 1 : 0;
    }
    return new Modes(covered, off / (double) samples);
  }

  private static int nearest(double[] means, double x, double y) {
    int best = 0;
    for (int k = 1; k < means.length / 2; k++) {
      if (Math.hypot(x - means[2 * k], y - means[2 * k + 1])
          < Math.hypot(x - means[2 * best], y - means[2 * best + 1])) {
        best = k;
      }
    }
    return best;
  }

  private CounterRng rng(Purpose purpose, long step) {
    return new CounterRng(model.parameters().backend(), seed, purpose).step(step);
  }
}
