package cifvi.engine.internal.graph;

import cifvi.engine.internal.cuda.Recorder;

/** Stands in for a CUDA graph where there is none: a replay runs the work again. */
record HostRecording(Runnable work) implements Recorder.Recording {
  /** Warms up, as a capture does. */
  HostRecording {
    work.run();
  }

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
}
