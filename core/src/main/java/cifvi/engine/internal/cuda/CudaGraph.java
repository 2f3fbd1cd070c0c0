package cifvi.engine.internal.cuda;

import cifvi.tensor.internal.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Work on the device, recorded once and started as a whole ever after.
 *
 * <p>Recording is done by libtorch ({@code at::cuda::CUDAGraph}), whose allocator must know that
 * memory used in it stays in use; everything else by the driver. Of libtorch's functions only
 * {@code capture_begin} and {@code capture_end} can throw, and an exception of C++ would end the
 * JVM: the first is called on a stream that is not the default one and does not record, the second
 * only while the driver says that the recording is good. A bad one is ended by the driver, and its
 * libtorch object is left alone for ever.
 */
public final class CudaGraph implements Recorder.Recording {
  /** Larger than the object, whose size no header tells. */
  private static final int OBJECT_BYTES = 4096;

  private static final int THREAD_LOCAL_MODE = 1;
  private static final int NOT_RECORDING = 0;
  private static final int ACTIVE = 1;
  private static final int KERNEL_NODE = 0;

  /** Kernels keep the priority of the stream that they were recorded on. */
  private static final long USE_NODE_PRIORITY = 8;

  private static final StructLayout POOL =
      MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

  /** Found at first use; libtorch has loaded the library by then. */
  private static final class Functions {
    static final SymbolLookup SYMBOLS = CLibrary.open("libtorch_cuda.so").orElseThrow();
    static final MethodHandle CREATE =
        handle("C1Eb", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_BOOLEAN));
    static final MethodHandle BEGIN =
        handle(
            "13capture_beginESt4pairIyyE21cudaStreamCaptureMode",
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, POOL, ValueLayout.JAVA_INT));
    static final MethodHandle END =
        handle("11capture_endEv", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    static final MethodHandle RAW =
        handle(
            "14raw_cuda_graphEv",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    static final MethodHandle DESTROY =
        handle("D1Ev", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

    static MethodHandle handle(String member, FunctionDescriptor descriptor) {
      return CLibrary.handle(SYMBOLS, "_ZN2at4cuda9CUDAGraph" + member, descriptor);
    }
  }

  private final CudaDriver driver = CudaDriver.get();
  private final TorchStreams streams = TorchStreams.get();
  private final MemorySegment object = Arena.global().allocate(OBJECT_BYTES, 64);
  private final long executable;
  private final int kernels;

  private CudaGraph(long stream, Runnable work) throws Throwable {
    if (status(stream) != NOT_RECORDING) {
      throw new IllegalStateException("the stream is recording already");
    }
    Functions.CREATE.invokeExact(object, true);
    begin();
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      abandon(stream);
      throw e;
    }
    if (status(stream) != ACTIVE) {
      abandon(stream);
      throw new IllegalStateException("the recording was broken off by one of its operations");
    }
    Functions.END.invokeExact(object);
    long graph = (long) Functions.RAW.invokeExact(object);
    kernels = count(graph);
    executable = driver.result("cuGraphInstantiateWithFlags", graph, USE_NODE_PRIORITY);
  }

  /** See {@link Recorder#record}: warms up on the stream that will record. */
  public static CudaGraph record(Runnable work) {
    var streams = TorchStreams.get();
    var before = streams.current();
    var side = streams.side();
    CudaDriver.get().call("cuCtxSynchronize");
    streams.setCurrent(side);
    try {
      work.run();
      CudaDriver.get().call("cuCtxSynchronize");
      return new CudaGraph(side.handle(), work);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("recording a CUDA graph", e);
    } finally {
      streams.setCurrent(before);
    }
  }

  private void begin() throws Throwable {
    try (var arena = Arena.ofConfined()) {
      Functions.BEGIN.invokeExact(
          object, arena.allocate(POOL), THREAD_LOCAL_MODE); // a pool of its own
    }
  }

  private int status(long stream) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
      driver.call("cuStreamIsCapturing", stream, out.address());
      return out.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /** Ends the recording without libtorch, which would throw. */
  private void abandon(long stream) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
      driver.call("cuStreamEndCapture", stream, graph.address());
      driver.call("cuGraphDestroy", graph.get(ValueLayout.JAVA_LONG, 0));
    } catch (IllegalStateException _) {
      // that it is broken is known
    }
  }

  /** Nodes that are kernels; the others copy or fill memory. */
  private int count(long graph) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
      driver.call("cuGraphGetNodes", graph, 0L, size.address());
      long nodes = size.get(ValueLayout.JAVA_LONG, 0);
      MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, nodes));
      driver.call("cuGraphGetNodes", graph, all.address(), size.address());
      MemorySegment type = arena.allocate(ValueLayout.JAVA_INT);
      int count = 0;
      for (long i = 0; i < nodes; i++) {
        driver.call("cuGraphNodeGetType", all.getAtIndex(ValueLayout.JAVA_LONG, i), type.address());
        count += type.get(ValueLayout.JAVA_INT, 0) == KERNEL_NODE ? 1 : 0;
      }
      return count;
    }
  }

  @Override
  public int kernels() {
    return kernels;
  }

  @Override
  public void replay() {
    driver.call("cuGraphLaunch", executable, streams.current().handle());
  }

  @Override
  public void close() {
    driver.call("cuCtxSynchronize");
    driver.call("cuGraphExecDestroy", executable);
    try {
      Functions.DESTROY.invokeExact(object);
    } catch (Throwable e) {
      throw new IllegalStateException("destroying a CUDA graph", e);
    }
  }
}
