package cifvi.experiments.data;

/** A data file is not what it should be; the message says how, and follows the file's name. */
final class BadFileException extends Exception {
  private static final long serialVersionUID = 1;

  BadFileException(String message) {
    super(message);
  }

  BadFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
