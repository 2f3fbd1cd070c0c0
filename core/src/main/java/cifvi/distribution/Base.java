package cifvi.distribution;

/** The density q(w₀|x) a posterior starts from; it may look at x (amortised) or not. */
@FunctionalInterface
public interface Base {
  /** One density a row of x. */
  Distribution given(Observation x);
}
