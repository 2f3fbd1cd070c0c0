package cifvi.cli;

/** What the command tells the shell. */
final class ExitCode {
  static final int DONE = 0;

  /** The run failed: non-finite loss, verification failed. */
  static final int FAILED = 1;

  /** Something is wrong with what the user gave, files included. */
  static final int USAGE = 2;

  /** Stopped by Ctrl-C, with the state saved. */
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
