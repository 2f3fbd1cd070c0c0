package cifvi.experiments.data;

import org.jspecify.annotations.Nullable;

/** A data file is not what it should be. */
final class BadFileException extends Exception {
  private static final long serialVersionUID = 1;

  private final String problem;

  BadFileException(String problem) {
    this(problem, null);
  }

  BadFileException(String problem, @Nullable Throwable cause) {
    super(problem, cause);
    this.problem = problem;
  }

  /** What is wrong, to be said after the name of the file. */
  String problem() {
    return problem;
  }
}
