package cifvi.engine.internal.cuda;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.internal.CLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.util.List;

/** Calls everything that is bound, in a process of its own: a wrong call would end it. */
final class BindingsMain {
  private BindingsMain() {}

  public static void main(String[] args) {
    var launcher =
        CudaLauncher.of(Backend.cpu(Precision.FLOAT32), List.of("void captured_noise();"));
    System.out.println(launcher.limits());
    launcher.launch("noise_at", 3, 256, 100_000, 1L << 40, 7, 1.5f, 2.5);
    launcher.launch("noise_at", 3, 256, 100_000, 1L << 40, 7, 1.5f, 2.5);
    say("refused", () -> launcher.launch("missing", 1, 1, 0));
    try (var graph = CudaGraph.record(() -> launcher.launch("adam", 1, 2, 0, 3L, 4, 5f, 6.0))) {
      System.out.println("kernels " + graph.kernels());
      graph.replay();
    }
    say("broken", () -> CudaGraph.record(BindingsMain::breakCapture).close());
    var calls = new int[1];
    Runnable failing =
        () -> {
          if (calls[0]++ > 0) {
            throw new IllegalArgumentException("the step's own");
          }
        };
    say("failed", () -> CudaGraph.record(failing).close());
    launcher.beside(() -> launcher.launch("adam", 1, 2, 0, 3L, 4, 5f, 6.0)).run();
    System.out.println("stream " + TorchStreams.get().current().handle());
  }

  private static void say(String what, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      System.out.println(what + ": " + e.getMessage());
    }
  }

  private static void breakCapture() {
    var stub = CLibrary.open("libcuda.so.1").orElseThrow();
    try {
      CLibrary.handle(stub, "break_capture", FunctionDescriptor.ofVoid()).invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
