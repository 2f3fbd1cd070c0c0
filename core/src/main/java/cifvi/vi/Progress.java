package cifvi.vi;

/** Told how far a long computation has come; return false to stop it. */
@FunctionalInterface
public interface Progress {
  Progress SILENT = (_, _) -> true;

  boolean done(long draws, long ofDraws);

  /** Reports, and stops the computation by a {@link StoppedException} if asked to. */
  default void report(long draws, long ofDraws) {
    if (!done(draws, ofDraws)) {
      throw new StoppedException();
    }
  }

  /** Thrown by a computation whose {@link Progress} asked it to stop. */
  final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoppedException() {
      super("stopped on request");
    }
  }
}
