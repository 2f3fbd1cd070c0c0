package cifvi.experiments.files;

/**
 * Something is wrong with what the user gave, files included; the message is for the user and names
 * the remedy.
 */
public final class UserException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UserException(String message) {
    super(message);
  }

  public UserException(String message, Throwable cause) {
    super(message, cause);
  }
}
