package cifvi.cli.option;

/** What the command tells the shell. */
public final class ExitCode {
  public static final int DONE = 0;

  /** The run failed: non-finite loss, verification failed. */
  public static final int FAILED = 1;

  /** Something is wrong with what the user gave, files included. */
  public static final int USAGE = 2;

  /** Stopped by Ctrl-C, with the state saved. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
