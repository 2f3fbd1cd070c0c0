package cifvi.experiments.fit;

import cifvi.Cifvi;
import cifvi.Draws;
import cifvi.Family;
import cifvi.Fit;
import cifvi.FittedPosterior;
import cifvi.diagnostics.Mode;
import cifvi.diagnostics.Trust;
import cifvi.experiments.target.KnownDensity;
import cifvi.experiments.target.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A fit of a target whose answers are known, to see whether its verdict is right.
 *
 * @param dimensions of the target; 0 for its default
 * @param steps of training; 0 for the default
 */
public record VerdictCase(String target, int dimensions, Family family, long steps, int starts) {
  private static final int DRAWS = 4000;

  /**
   * Every target with every kind of family, from far too short to the default, and several starts
   * for the targets with modes that are far apart.
   */
  public static List<VerdictCase> all() {
    var cases = new ArrayList<VerdictCase>();
    for (String target :
        List.of(
            "gaussian",
            "banana",
            "funnel",
            "eight-schools",
            "eight-schools-centered",
            "rings",
            "mixture40",
            "many-well",
            "brownian")) {
      int d = target.equals("many-well") ? 8 : 0;
      cases.add(new VerdictCase(target, d, Family.MEAN_FIELD, 20, 1));
      cases.add(new VerdictCase(target, d, Family.MEAN_FIELD, 0, 1));
      cases.add(new VerdictCase(target, d, Family.FULL_RANK, 100, 1));
      cases.add(new VerdictCase(target, d, Family.FULL_RANK, 0, 1));
      cases.add(new VerdictCase(target, d, Family.NSF, 100, 1));
      cases.add(new VerdictCase(target, d, Family.CIF_NSF, 400, 1));
      cases.add(new VerdictCase(target, d, Family.NSF, 0, 1));
    }
    for (String target : List.of("rings", "mixture40", "many-well")) {
      int d = target.equals("many-well") ? 4 : 0;
      cases.add(new VerdictCase(target, d, Family.MEAN_FIELD, 0, 4));
      cases.add(new VerdictCase(target, d, Family.NSF, 1000, 4));
    }
    for (String target : List.of("gaussian", "banana", "eight-schools")) {
      cases.add(new VerdictCase(target, 0, Family.CIF_NSF, 0, 1));
    }
    return cases;
  }

  /** Fits it, and holds the verdict against the known answers. */
  public VerdictRow run(int threads, long seed) {
    OptionalInt d = dimensions == 0 ? OptionalInt.empty() : OptionalInt.of(dimensions);
    KnownDensity density = Targets.of(target, d);
    Fit fit = Cifvi.fitting(density).family(family).starts(starts).threads(threads).seed(seed);
    fit = steps == 0 ? fit : fit.steps(steps);
    try (FittedPosterior posterior = fit.run()) {
      Draws draws = posterior.draws(DRAWS);
      Trust trust = posterior.trust(draws);
      return new VerdictRow(
          target,
          density.dimensions(),
          family.toString(),
          steps,
          starts,
          trust.verdict().toString(),
          trust.joint().kHat(),
          trust.joint().ess(),
          trust.marginal() == null ? null : trust.marginal().kHat(),
          trust.wide() == null ? null : trust.wide().kHat(),
          trust.wide() == null ? null : trust.wide().ess(),
          trust.shift() == null ? null : trust.shift().most(),
          trust.modes() == null ? 0 : trust.modes().stream().filter(Mode::missed).count(),
          trust.agreement() == null ? null : trust.agreement().rHat(),
          TrueError.of(density.known(), draws),
          TrueError.of(density.known(), draws.resampled(DRAWS, 1)),
          trust.calls());
    }
  }
}
