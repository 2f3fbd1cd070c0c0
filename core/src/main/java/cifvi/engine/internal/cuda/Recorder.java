package cifvi.engine.internal.cuda;

/** Turns work on the device into something that is started as a whole. */
@FunctionalInterface
public interface Recorder {
  /** Work that was recorded. */
  interface Recording extends AutoCloseable {
    /** Starts the work on the current stream and does not wait for it. */
    void replay();

    /** Number of kernels that one replay starts. */
    int kernels();

    @Override
    void close();
  }

  /**
   * Records what {@code work} does on the device. It is called for real first, so that whatever is
   * made at first use is there, and then to be recorded.
   *
   * @throws RuntimeException where the work does something that cannot be recorded
   */
  Recording record(Runnable work);

  /** Work that is not recorded: every replay does it again. */
  static Recording live(Runnable work) {
    return new Recording() {
      @Override
      public void replay() {
        work.run();
      }

      @Override
      public int kernels() {
        return 0;
      }

      @Override
      public void close() {}
    };
  }
}
