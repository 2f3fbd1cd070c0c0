package cifvi.diagnostics;

import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Trust} of draws and of what they were drawn from.
 *
 * @param q what they were drawn from
 * @param flow whether it is a flow already, so that there is no larger family to advise
 * @param names of the numbers that people ask about
 * @param draws of q
 * @param wide as many by noise that reaches further out
 * @param starts draws of other starts, if there were any
 * @param reference draws of p from elsewhere, if there are any
 */
public record Assessment(
    Approximation q,
    boolean flow,
    List<String> names,
    Drawn draws,
    Wide wide,
    List<Drawn> starts,
    @Nullable Reference reference,
    long seed) {
  /** Paths back from each draw of an indexed posterior. */
  static final int PATHS = 16;

  private static final int WORTH_DRAWS = 1000;
  private static final int ASKED_AGAIN = 20;
  private static final double ROUNDING = 1e-4;
  private static final int MOST_REFERENCE = 4000;

  /**
   * Draws in plain numbers.
   *
   * @param columns the numbers that people ask about, all draws of each
   * @param z on the unconstrained space, row-major
   * @param logP of every draw
   * @param logG log q(z, u) - log r(u|z) of every draw
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  public record Drawn(double[][] columns, double[] z, double[] logP, double[] logG) {
    double[] logWeights() {
      double[] logWeights = new double[logP.length];
      for (int i = 0; i < logP.length; i++) {
        logWeights[i] = logP[i] - logG[i];
      }
      return logWeights;
    }

    double elbo() {
      var moments = new Moments();
      for (double logWeight : logWeights()) {
        if (Double.isFinite(logWeight)) {
          moments.add(logWeight);
        }
      }
      return moments.count() == 0 ? Double.NEGATIVE_INFINITY : moments.mean();
    }
  }

  /**
   * Draws by {@link WideNoise}.
   *
   * @param draws whose {@code logG} has log ρ(ε) in it
   * @param logRatios log ρ(ε)
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  public record Wide(Drawn draws, double[] logRatios) {
    /** Weights 1/ρ, which make draws of q of them. */
    double[] ofQ() {
      double sum = Arrays.stream(logRatios).map(log -> Math.exp(-log)).sum();
      return Arrays.stream(logRatios).map(log -> Math.exp(-log) / sum).toArray();
    }
  }

  /**
   * Reference draws with their place on the unconstrained space.
   *
   * @param z row-major; null where it cannot be told
   * @param note why not
   */
  @SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
  public record Reference(ReferenceDraws draws, double @Nullable [] z, @Nullable String note) {}

  /** The report. */
  public Trust run() {
    var joint = new ImportanceWeights(draws.logWeights());
    double elbo = draws.elbo();
    boolean answered = Double.isFinite(elbo);
    boolean indexed = !q.explicit() && answered;
    MarginalWeights many =
        indexed
            ? MarginalWeights.of(draws.logP(), draws.logG(), q.backward(draws.z(), PATHS, seed))
            : null;
    var marginal = many == null ? null : new ImportanceWeights(many.logWeights());
    ImportanceWeights best = Facts.better(joint, marginal);
    var further = new ImportanceWeights(wide.draws.logWeights());
    List<Estimate> worth = indexed ? q.indexWorth(WORTH_DRAWS) : List.of();
    long calls = (long) wide.logRatios.length + ASKED_AGAIN;
    calls += worth.isEmpty() ? 0 : (long) WORTH_DRAWS * (1 + worth.size());
    List<Mode> modes = null;
    if (answered && q.dimensions() <= Modes.MOST_DIMENSIONS) {
      List<double[]> others = starts.stream().map(Drawn::z).toList();
      double logZ = best.logEvidence().mean();
      var search = new Modes(q, draws.z(), best.normalised(), logZ, others, seed);
      modes = search.find();
      calls += search.calls();
    }
    Comparison comparison = reference == null ? null : compare(reference, best.normalised());
    calls +=
        comparison == null || comparison.eubo() == null
            ? 0
            : Math.min(comparison.draws(), MOST_REFERENCE);
    Moved moved = best.reliable() ? moved(best, further) : new Moved(null, null);
    var facts =
        new Facts(
            flow,
            answersApart(),
            joint,
            marginal,
            further,
            moved.shift,
            moved.apart,
            best.reliable() ? meansKHat(best, draws) : null,
            best.reliable() ? meansKHat(further, wide.draws) : null,
            best.reliable() ? heaviest(further) : null,
            modes,
            starts.isEmpty() ? null : Agreement.of(names, draws, starts),
            comparison);
    var judgement = Judgement.of(facts);
    return new Trust(
        judgement.verdict(),
        judgement.why(),
        judgement.next(),
        Trust.Weights.of(joint),
        marginal == null ? null : Trust.Weights.of(marginal),
        Trust.Weights.of(further),
        elbo,
        many == null ? null : bracket(many, elbo),
        worth,
        facts.shift(),
        facts.meansKHat(),
        modes,
        facts.agreement(),
        comparison,
        calls);
  }

  /** How far the answers to some draws and those to the same points asked again are apart. */
  private double answersApart() {
    int count = Math.min(ASKED_AGAIN, draws.logP().length);
    double[] again = new double[count];
    q.logDensities(Arrays.copyOf(draws.z(), count * q.dimensions()), again, null);
    double most = 0;
    for (int i = 0; i < count; i++) {
      double apart = Math.abs(again[i] - draws.logP()[i]);
      double rounding = ROUNDING * Math.abs(again[i]);
      most = Double.isFinite(apart) ? Math.max(most, apart - rounding) : most;
    }
    return most;
  }

  private static Trust.Bracket bracket(MarginalWeights marginal, double elbo) {
    return new Trust.Bracket(
        marginal.lower().mean(),
        marginal.upper().mean(),
        marginal.upper().standardError(),
        marginal.lower().mean() - elbo,
        marginal.upper().mean() - elbo);
  }

  /**
   * How far weights move numbers.
   *
   * @param shift from q to p, by the draws or by those that reach further out
   * @param apart from p by the draws to p by those that reach further out
   */
  private record Moved(@Nullable Shift shift, @Nullable Shift apart) {}

  private Moved moved(ImportanceWeights best, ImportanceWeights further) {
    double[] equal = new double[best.size()];
    Arrays.fill(equal, 1.0 / best.size());
    double[] ofP = best.normalised();
    double[] wideOfQ = wide.ofQ();
    double[] wideOfP = further.normalised();
    var shifts = new ArrayList<Shift>();
    var apart = new ArrayList<Shift>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      double[] x = draws.columns()[i];
      double[] far = wide.draws.columns()[i];
      var range = Shift.Range.of(x);
      Shift.Moments p = range.moments(x, ofP);
      Shift.Moments wideP = range.moments(far, wideOfP);
      shifts.add(Shift.of(name, range.moments(x, equal), p));
      shifts.add(Shift.of(name, range.moments(far, wideOfQ), wideP));
      apart.add(Shift.of(name, p, wideP));
    }
    return new Moved(Shift.largest(shifts), Shift.farthest(apart));
  }

  /** The largest of all weighted means; null where one cannot be told. */
  private static @Nullable Double meansKHat(ImportanceWeights weights, Drawn draws) {
    double most = Arrays.stream(draws.columns()).mapToDouble(weights::kHat).max().orElse(0);
    return Double.isInfinite(most) ? null : most;
  }

  /** The number whose square has the heaviest tail among draws that reach further out. */
  private Facts.@Nullable Tail heaviest(ImportanceWeights further) {
    return IntStream.range(0, names.size())
        .mapToObj(i -> new Facts.Tail(names.get(i), further.kHatOfSquare(wide.draws.columns()[i])))
        .filter(tail -> Double.isFinite(tail.kHat()))
        .max(Comparator.comparingDouble(Facts.Tail::kHat))
        .orElse(null);
  }

  private Comparison compare(Reference reference, double[] weights) {
    double[] z = reference.z();
    Estimate eubo = z == null ? null : eubo(z);
    return Comparison.of(
        names, draws.columns(), weights, reference.draws(), eubo, reference.note());
  }

  /** Over as many of the reference draws as are worth it, evenly spaced. */
  private Estimate eubo(double[] z) {
    int d = q.dimensions();
    int rows = z.length / d;
    int count = Math.min(rows, MOST_REFERENCE);
    double[] some = new double[count * d];
    for (int i = 0; i < count; i++) {
      System.arraycopy(z, (int) ((long) i * rows / count) * d, some, i * d, d);
    }
    double[] logP = new double[count];
    q.logDensities(some, logP, null);
    double[] logG = q.backward(some, 1, seed);
    var moments = new Moments();
    for (int i = 0; i < count; i++) {
      moments.add(logP[i] - logG[i]);
    }
    return moments.estimate();
  }
}
