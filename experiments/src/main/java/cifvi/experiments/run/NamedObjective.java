package cifvi.experiments.run;

import cifvi.experiments.files.UserException;
import cifvi.vi.Objective;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a run maximises, by name: {@code elbo}, {@code path}, {@code iwae:K}, {@code dreg:K}, {@code
 * iwhvi:M} or {@code r}.
 */
public record NamedObjective(Objective objective) {
  public static final NamedObjective ELBO = new NamedObjective(new Objective.Elbo());

  /** More draws than a row can use. */
  private static final int MOST = 10_000;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static NamedObjective read(Object text) {
    return parse(text.toString());
  }

  /** Reads a name. */
  public static NamedObjective parse(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    int number = colon < 0 ? -1 : number(text.substring(colon + 1));
    boolean numbered = number >= 0 && number <= MOST;
    Objective found =
        switch (name) {
          case "elbo" -> colon < 0 ? new Objective.Elbo() : null;
          case "path" -> colon < 0 ? new Objective.PathElbo() : null;
          case "r" -> colon < 0 ? new Objective.Auxiliary() : null;
          case "iwae" -> numbered && number > 0 ? new Objective.Iwae(number) : null;
          case "dreg" -> numbered && number > 0 ? new Objective.Dreg(number) : null;
          case "iwhvi" -> numbered ? new Objective.Iwhvi(number) : null;
          default -> null;
        };
    if (found == null) {
      throw new UserException(
          "--objective: expected elbo, path, iwae:K, dreg:K or iwhvi:M, K and M up to "
              + MOST
              + ", or r, got "
              + text);
    }
    return new NamedObjective(found);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  /** The same, warmed up in the first steps unless {@code steps} is null. */
  public Objective warmedUp(@Nullable Long steps) {
    return steps == null ? objective : new Objective.WarmUp(objective, steps);
  }

  /** Whether its gradient takes paths back through the layers. */
  public boolean goesBack() {
    return switch (objective) {
      case Objective.PathElbo _, Objective.Dreg _ -> true;
      case Objective.Iwhvi(int m) -> m > 0;
      default -> false;
    };
  }

  /** Refuses gradients that a semi-implicit layer, whose r is made of other draws, has not. */
  public void requireFor(Object family) {
    RunSpec.require(
        !(objective instanceof Objective.Dreg && family.toString().equals("sivi")),
        "--objective: sivi has no doubly reparametrised gradient; use iwae:K, got " + this);
  }

  /** Refuses r alone, where nothing else was trained before. */
  public void requireWhole() {
    RunSpec.require(
        !(objective instanceof Objective.Auxiliary),
        "--objective: r is learnt alone in mog --model cif-nsf --init-from a run of cif-nsf");
  }

  /** Draws, forward and back, that a row takes. */
  public int rowDraws() {
    return objective instanceof Objective.Iwhvi(int m) ? 1 + m : objective.draws();
  }

  /** As it is parsed. */
  @JsonValue
  @Override
  public String toString() {
    return switch (objective) {
      case Objective.Elbo _ -> "elbo";
      case Objective.PathElbo _ -> "path";
      case Objective.Iwae(int k) -> "iwae:" + k;
      case Objective.Dreg(int k) -> "dreg:" + k;
      case Objective.Iwhvi(int m) -> "iwhvi:" + m;
      case Objective.Auxiliary _ -> "r";
      case Objective.WarmUp _, Objective.Tempered _ ->
          throw new IllegalStateException("a warm-up has no name of its own");
    };
  }
}
