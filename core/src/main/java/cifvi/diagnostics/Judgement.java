package cifvi.diagnostics;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/**
 * From facts to one verdict, in words.
 *
 * <ul>
 *   <li>poor: the density has two answers; or the weights of the draws are not reliable, or worth
 *       fewer than a tenth of them or a hundred; or those of draws that reach further out are not
 *       reliable, or make another distribution of them; or p has a mode that q misses; or starts
 *       that are as good, or reference draws, say otherwise; or a mean is moved, but not reliably;
 *   <li>usable: weights move a mean by more than a tenth of its standard deviation, or a standard
 *       deviation by more than a tenth, or hang on few draws in a tail, or are worth less than half
 *       of the draws;
 *   <li>good: none of these.
 * </ul>
 */
record Judgement(Verdict verdict, List<String> why, List<String> next) {
  /** A mean over so many draws has an error of a tenth of a standard deviation. */
  private static final double LEAST_ESS = 100;

  /** Of the draws. */
  private static final double LEAST_SHARE = 0.1;

  /** Of the draws: weights that are worth more of them are no few draws' weights. */
  private static final double HALF = 0.5;

  /** Of a mean in standard deviations, and of a standard deviation. */
  private static final double SMALL = 0.1;

  /** Of the draws of a start: that it has found a mode. */
  private static final double WORTH = 0.01;

  static Judgement of(Facts facts) {
    var why = new ArrayList<String>();
    var next = new ArrayList<String>();
    boolean sound = oneAnswer(facts, why, next);
    sound &= weights(facts, why, next) && further(facts, why, next);
    sound &= modes(facts, why, next);
    sound &= agreement(facts, why, next);
    sound &= reference(facts, why, next);
    Verdict verdict = sound ? shift(facts, why, next) : Verdict.POOR;
    return new Judgement(verdict, why, List.copyOf(new LinkedHashSet<>(next)));
  }

  private static boolean oneAnswer(Facts facts, List<String> why, List<String> next) {
    if (facts.answersApart() <= SMALL) {
      return true;
    }
    why.add(
        text(
            "log p had two answers at the same point, %.2g apart: there is no one density to fit",
            facts.answersApart()));
    next.add("a look at the density: has it random numbers, or arrays that threads share?");
    return false;
  }

  private static boolean modes(Facts facts, List<String> why, List<String> next) {
    if (facts.modes() == null) {
      why.add("there are too many dimensions to look for modes that no draw came near");
      return true;
    }
    List<Mode> missed = facts.modes().stream().filter(Mode::missed).toList();
    if (missed.isEmpty()) {
      why.add("ascents from far outside found no mode that q misses");
      return true;
    }
    Mode most = missed.getFirst();
    why.add(
        text(
            "p has mass where q has next to none: around z = %s, %.0f %% of it against %.1f %%%s",
            most.text(),
            100 * most.mass(),
            100 * most.covered(),
            missed.size() == 1 ? "" : ", and at " + (missed.size() - 1) + " other places"));
    next.add("eight starts: other places to begin at, of which the best is kept");
    next.add("an initial scale as wide as the modes are apart");
    return false;
  }

  private static boolean agreement(Facts facts, List<String> why, List<String> next) {
    Agreement agreement = facts.agreement();
    if (agreement == null) {
      return true;
    }
    long alone =
        facts.modes() == null
            ? 0
            : facts.modes().stream().filter(mode -> mode.foundBy(WORTH) == 1).count();
    why.add(
        text(
            "of %d starts %d are as good as the best, with R-hat %.2f (%s) and an overlap of at least %.2f; of %d modes %d were found by one start alone",
            agreement.starts(),
            agreement.asGood(),
            agreement.rHat(),
            agreement.name(),
            agreement.overlap(),
            facts.modes() == null ? 0 : facts.modes().size(),
            alone));
    if (agreement.apart()) {
      why.add("starts that are as good have found different distributions: at most one is right");
      next.add("a larger family, or more starts, and all of them looked at");
      return false;
    }
    return true;
  }

  /** A mean over n reference draws has an error of 1/√n of a standard deviation itself. */
  private static boolean reference(Facts facts, List<String> why, List<String> next) {
    Comparison reference = facts.reference();
    Comparison.Margin worst = reference == null ? null : reference.worstWeighted();
    if (reference == null || worst == null) {
      return true;
    }
    double error = Math.max(Math.abs(worst.weightedMean()), Math.abs(worst.weightedSd()));
    double noise = 2 / Math.sqrt(reference.draws()) + 2 * noise(facts.best());
    why.add(
        text(
            "beside %,d reference draws the weighted mean is off by at most %.2f sd, the sd by %.0f %% (%s)",
            reference.draws(),
            Math.abs(worst.weightedMean()),
            100 * Math.abs(worst.weightedSd()),
            worst.name()));
    if (error <= 2 * SMALL + noise) {
      return true;
    }
    next.add("more steps, or a larger family");
    return false;
  }

  private static boolean weights(Facts facts, List<String> why, List<String> next) {
    ImportanceWeights best = facts.best();
    String what = facts.marginal() == null ? "k-hat" : "k-hat of the joint weights";
    if (best.reliable()) {
      double ess = best.effectiveSampleSize();
      why.add(
          best.kHat() < best.kHatThreshold()
              ? text(
                  "k-hat %.2f is below %.2f: the importance weights can be relied on, and are worth %,.0f of %,d draws",
                  best.kHat(), best.kHatThreshold(), ess, best.size())
              : text(
                  "no importance weight is more than twice their mean, so that k-hat %.2f does not matter; they are worth %,.0f of %,d draws",
                  best.kHat(), ess, best.size()));
      if (!facts.joint().reliable()) {
        why.add(
            text(
                "%s is %.2f and that of q(z) itself %.2f: q is close to p, but r(u|z) is not close to q(u|z)",
                what, facts.joint().kHat(), best.kHat()));
        next.add("more steps, which train r too, or the same family without an index");
      }
      if (ess < Math.max(LEAST_ESS, LEAST_SHARE * best.size())) {
        why.add("that is fewer than a tenth, or than a hundred: q is too far from p");
        larger(facts, next);
        return false;
      }
      return true;
    }
    if (Double.isInfinite(best.kHat())) {
      why.add("too few draws have a density to say anything of their weights");
      next.add("more draws, or a look at the density: where does it have no answer?");
      return false;
    }
    double share = best.effectiveSampleSize() / best.size();
    why.add(
        text(
            "%s %.2f is not below %.2f: %s",
            what,
            facts.joint().kHat(),
            best.kHatThreshold(),
            share < HALF
                ? "a few draws have nearly all the weight, so that p has mass where q has next to none"
                : "the largest weights have so heavy a tail that p may have mass where no draw is"));
    if (facts.marginal() != null) {
      why.add(
          text(
              "that of q(z) itself is %.2f, so that q is at fault, and not only r(u|z)",
              facts.marginal().kHat()));
    }
    larger(facts, next);
    next.add("other parameters for the same model, such as a non-centred one");
    return false;
  }

  /** What draws say that reach further out than those of q. */
  private static boolean further(Facts facts, List<String> why, List<String> next) {
    ImportanceWeights wide = facts.wide();
    double ess = wide.effectiveSampleSize();
    if (!wide.reliable() || ess < LEAST_ESS) {
      why.add(
          text(
              "draws that reach further out than those of q have weights with k-hat %.2f, worth %,.0f of %,d: p has mass where q hardly comes",
              wide.kHat(), ess, wide.size()));
      larger(facts, next);
      return false;
    }
    Shift apart = facts.apart();
    if (apart != null && apart.beyondNoise() > SMALL) {
      why.add(
          text(
              "draws that reach further out than those of q do not agree: they have the mean of %s %.2f sd away, and its sd %.0f %% off",
              apart.name(), apart.mean(), 100 * apart.sd()));
      larger(facts, next);
      return false;
    }
    return true;
  }

  /** Of a mean by weights, in standard deviations. */
  private static double noise(ImportanceWeights weights) {
    return 1 / Math.sqrt(weights.effectiveSampleSize());
  }

  private static void larger(Facts facts, List<String> next) {
    next.add(facts.flow() ? "more steps" : "a larger family: auto, or cif-nsf");
    next.add(facts.flow() ? "the family cif-nsf, if it is not that" : "more steps");
  }

  private static Verdict shift(Facts facts, List<String> why, List<String> next) {
    Shift shift = facts.shift();
    if (shift == null) {
      return Verdict.GOOD;
    }
    why.add(
        text(
            "reweighting moves %s most: its mean by %.2f sd, its sd by %.0f %%",
            shift.name(), shift.mean(), 100 * shift.sd()));
    double threshold = facts.best().kHatThreshold();
    Facts.Tail tail = facts.heaviest();
    boolean heavy = false;
    if (tail != null && tail.kHat() >= threshold) {
      heavy = true;
      why.add(
          text(
              "the sd of %s hangs on a few draws in its tail, k-hat of its square being %.2f: its quantiles can be told from these draws, that sd cannot",
              tail.name(), tail.kHat()));
    }
    boolean much = shift.most() > SMALL + noise(facts.best());
    boolean half = half(facts.best()) && half(facts.wide());
    if (!much && half && !heavy) {
      return Verdict.GOOD;
    }
    if (!half) {
      why.add(
          "the weights are worth less than half of the draws: q is not p, but can be corrected");
    }
    double usual = facts.meansKHat() == null ? Double.POSITIVE_INFINITY : facts.meansKHat();
    double wide = facts.wideMeansKHat() == null ? Double.POSITIVE_INFINITY : facts.wideMeansKHat();
    double k = heavy ? Math.max(usual, wide) : Math.min(usual, wide); // both agree on the means
    if ((much || heavy) && k >= threshold) {
      why.add(text("k-hat of a weighted mean is %.2f: resampling would not give it", k));
      larger(facts, next);
      return Verdict.POOR;
    }
    next.add("resampled draws, or their weights exp(log_p__ - log_g__)");
    larger(facts, next);
    return Verdict.USABLE;
  }

  private static boolean half(ImportanceWeights weights) {
    return weights.effectiveSampleSize() >= HALF * weights.size();
  }

  @SuppressWarnings("AnnotateFormatMethod") // would be another library
  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
