package cifvi.spark;

import cifvi.experiments.files.UserException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Spark throws, in words. */
final class Failures {
  private static final Pattern JAVA =
      Pattern.compile(
          "UnsupportedClassVersionError.*class file versions up to (\\d+)", Pattern.DOTALL);

  private Failures() {}

  static boolean isCancelled(Throwable failure) {
    return text(failure).contains("cancelled");
  }

  /** The exception to end with: a user's one as it is, else one that says what to do. */
  static UserException explained(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UserException known) {
        return known;
      }
    }
    String text = text(failure);
    Matcher java = JAVA.matcher(text);
    if (java.find()) {
      return new UserException(
          "a worker runs Java %d, and JDK 25.0.3 or newer is needed: install it there and set JAVA_HOME for the worker, or give --conf spark.executorEnv.JAVA_HOME=DIR"
              .formatted(Integer.parseInt(java.group(1)) - 44),
          failure);
    }
    return new UserException("Spark: " + text.lines().findFirst().orElse("failed"), failure);
  }

  private static String text(Throwable failure) {
    var text = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      text.append(cause).append('\n');
    }
    return text.toString();
  }
}
