package cifvi.tensor;

/** What was asked for cannot be computed with on this machine; the message names the remedy. */
public final class DeviceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public DeviceException(String message) {
    super(message);
  }

  public DeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
