package cifvi;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** {q_θ}, the families of distributions a posterior is looked for in, cheapest first. */
public enum Family {
  /** z = σ ε + μ: independent normals. */
  MEAN_FIELD,
  /** z = A ε + μ: a normal with any covariance. */
  FULL_RANK,
  /** z = A_k ε + μ_k with probability π_k: a normal at every mode that was found. */
  MIXTURE,
  /** z_i = (w_i - μ(w_{&lt;i})) e^{-α(w_{&lt;i})} a step: a masked autoregressive flow. */
  MAF,
  /** z_i = RQS(w_i; net(w_{&lt;i})) a step: a neural spline flow. */
  NSF,
  /** z = e^{s(u)} (g(w) + t(u)) a step, g one of MAF: a continuously-indexed flow (eq. 6). */
  CIF_MAF,
  /** The same with a g of NSF. */
  CIF_NSF,
  /** MAF with half of the features given the other half: affine coupling layers. */
  COUPLING_AFFINE,
  /** NSF with half of the features given the other half: spline coupling layers. */
  COUPLING_NSF,
  /** A continuously-indexed flow with a g of COUPLING_AFFINE. */
  CIF_COUPLING_AFFINE,
  /** The same with a g of COUPLING_NSF. */
  CIF_COUPLING_NSF,
  /** z ~ q(z|u), u ~ q(u), with r(u|z): a hierarchical variational model. */
  HVM,
  /** z ~ q(z|f(ε)), bounded by more draws of ε: semi-implicit variational inference. */
  SIVI,
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

  /** Whether it is more than a normal or several. */
  boolean flow() {
    return this != MEAN_FIELD && this != FULL_RANK && this != MIXTURE;
  }

  /** Whether its draws have an index beside z, so that log q(z) itself is not known. */
  public boolean indexed() {
    return cif() || this == HVM || this == SIVI;
  }

  /** Whether its layers are continuously indexed. */
  boolean cif() {
    return switch (this) {
      case CIF_MAF, CIF_NSF, CIF_COUPLING_AFFINE, CIF_COUPLING_NSF -> true;
      default -> false;
    };
  }
}
