package cifvi.diagnostics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * From facts to one verdict, in words.
 *
 * <ul>
 *   <li>poor: the weights are not reliable, or worth fewer than a hundred draws;
 *   <li>usable: they are reliable, but move a mean by more than a tenth of its standard deviation,
 *       or a standard deviation by more than a tenth;
 *   <li>good: they are reliable, and change nothing to speak of.
 * </ul>
 */
record Judgement(Verdict verdict, List<String> why, List<String> next) {
  /** A mean over so many draws has an error of a tenth of a standard deviation. */
  private static final double LEAST_ESS = 100;

  /** Of a mean in standard deviations, and of a standard deviation. */
  private static final double SMALL = 0.1;

  /** What the verdict follows from. */
  record Facts(
      boolean flow,
      ImportanceWeights joint,
      @Nullable ImportanceWeights marginal,
      @Nullable Shift shift) {
    /** The better ones. */
    ImportanceWeights best() {
      return marginal != null && marginal.kHat() < joint.kHat() ? marginal : joint;
    }
  }

  static Judgement of(Facts facts) {
    var why = new ArrayList<String>();
    var next = new ArrayList<String>();
    boolean weightsOk = weights(facts, why, next);
    Verdict verdict;
    if (!weightsOk) {
      verdict = Verdict.POOR;
    } else {
      verdict = shift(facts, why, next);
    }
    return new Judgement(verdict, why, next);
  }

  private static boolean weights(Facts facts, List<String> why, List<String> next) {
    ImportanceWeights best = facts.best();
    String what = facts.marginal() == null ? "k-hat" : "k-hat of the joint weights";
    if (best.reliable()) {
      double ess = best.effectiveSampleSize();
      why.add(
          text(
              "k-hat %.2f is below %.2f: the importance weights can be relied on, and are worth %,.0f of %,d draws",
              best.kHat(), best.kHatThreshold(), ess, best.size()));
      if (!facts.joint().reliable()) {
        why.add(
            text(
                "%s is %.2f and that of q(z) itself %.2f: q is close to p, but r(u|z) is not close to q(u|z)",
                what, facts.joint().kHat(), best.kHat()));
        next.add("more --steps, which train r too, or the same family without an index");
      }
      if (ess < LEAST_ESS) {
        why.add(text("that is fewer than %.0f, too few for means", LEAST_ESS));
        next.add(text("more --draws: about %,.0f", 10 * LEAST_ESS * best.size() / ess));
        return false;
      }
      return true;
    }
    if (Double.isInfinite(best.kHat())) {
      why.add("too few draws have a density to say anything of their weights");
      next.add("more --draws, or a look at the density: where does it have no answer?");
      return false;
    }
    why.add(
        text(
            "%s %.2f is not below %.2f: a few draws have nearly all the weight, so that p has mass where q has next to none",
            what, facts.joint().kHat(), best.kHatThreshold()));
    if (facts.marginal() != null) {
      why.add(
          text(
              "that of q(z) itself is %.2f, so that q is at fault, and not only r(u|z)",
              facts.marginal().kHat()));
    }
    next.add(facts.flow() ? "more --steps" : "--family auto, or cif-nsf: a larger family");
    next.add(facts.flow() ? "--family cif-nsf, if it is not that" : "more --steps");
    next.add("other parameters for the same model, such as a non-centred one");
    return false;
  }

  private static Verdict shift(Facts facts, List<String> why, List<String> next) {
    Shift shift = facts.shift();
    if (shift == null) {
      return Verdict.GOOD;
    }
    double noise = 2 / Math.sqrt(facts.best().effectiveSampleSize());
    why.add(
        text(
            "reweighting moves no mean by more than %.2f sd and no sd by more than %.0f %% (%s)",
            shift.mean(), 100 * shift.sd(), shift.name()));
    if (shift.most() <= SMALL + noise) {
      return Verdict.GOOD;
    }
    next.add("cifvi sample DIR --resampled, or the weights exp(log_p__ - log_g__) of the draws");
    next.add(facts.flow() ? "more --steps" : "--family auto, or cif-nsf: a larger family");
    return Verdict.USABLE;
  }

  @SuppressWarnings("AnnotateFormatMethod") // would be another library
  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
