package cifvi.engine.internal.graph;

import cifvi.engine.internal.cuda.Recorder;

/** Stands in for a CUDA graph where there is none: a replay runs the work again. */
final class HostRecording {
  private HostRecording() {}

  /** Warms up, as a capture does. */
  static Recorder.Recording of(Runnable work) {
    work.run();
    return Recorder.live(work);
  }
}
