package cifvi;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The families of distributions a posterior is looked for in, cheapest first. */
public enum Family {
  /** Independent normals. */
  MEAN_FIELD,
  /** A normal with any covariance. */
  FULL_RANK,
  /** A masked autoregressive flow. */
  MAF,
  /** A neural spline flow. */
  NSF,
  /** A continuously-indexed masked autoregressive flow. */
  CIF_MAF,
  /** A continuously-indexed neural spline flow. */
  CIF_NSF,
  /** Begins with the cheap ones and moves up while the bound improves by more than its error. */
  AUTO;

  /** {@code cif-nsf}, …, as everywhere outside Java. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The family of a name such as {@code cif-nsf}. */
  public static Family of(String name) {
    return Arrays.stream(values())
        .filter(family -> family.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "family: expected "
                        + Arrays.stream(values())
                            .map(Family::toString)
                            .collect(Collectors.joining(", "))
                        + ", got "
                        + name));
  }

  /** Whether its draws have an index beside z, so that log q(z) itself is not known. */
  public boolean indexed() {
    return this == CIF_MAF || this == CIF_NSF;
  }
}
