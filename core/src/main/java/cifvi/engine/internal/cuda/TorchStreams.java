package cifvi.engine.internal.cuda;

import cifvi.tensor.internal.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * libtorch's streams ({@code c10::cuda}): which one is current in this thread, and two more beside
 * it.
 *
 * <p>A {@code CUDAStream} is a pair of 64-bit words (device, number) that travels in registers.
 * None of these functions throws once a tensor has been on the device.
 */
final class TorchStreams {
  private static final StructLayout STREAM =
      MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
  private static final byte CURRENT_DEVICE = -1;

  /** Type and index of a device, a byte each; the rest of the word is not set. */
  private static final long DEVICE_BITS = 0xFFFF;

  /** Found at first use; libtorch has loaded the library by then. */
  private static final class Holder {
    static final TorchStreams STREAMS =
        new TorchStreams(
            CLibrary.open("libc10_cuda.so")
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "libc10_cuda.so is not found: this libtorch is built for the CPU alone")));
  }

  private final MethodHandle current;
  private final MethodHandle urgent;
  private final MethodHandle fromPool;
  private final MethodHandle setCurrent;
  private final MethodHandle handle;
  private final Map<Long, Stream> sides = new ConcurrentHashMap<>();
  private final Map<Long, Stream> seconds = new ConcurrentHashMap<>();

  private TorchStreams(SymbolLookup symbols) {
    var ofDevice = FunctionDescriptor.of(STREAM, ValueLayout.JAVA_BYTE);
    current =
        MethodHandles.insertArguments(
            CLibrary.handle(symbols, "_ZN3c104cuda20getCurrentCUDAStreamEa", ofDevice),
            1,
            CURRENT_DEVICE);
    var ofPool = FunctionDescriptor.of(STREAM, ValueLayout.JAVA_BOOLEAN, ValueLayout.JAVA_BYTE);
    MethodHandle ofPriority =
        CLibrary.handle(symbols, "_ZN3c104cuda17getStreamFromPoolEba", ofPool);
    urgent = MethodHandles.insertArguments(ofPriority, 1, true, CURRENT_DEVICE);
    fromPool = MethodHandles.insertArguments(ofPriority, 1, false, CURRENT_DEVICE);
    setCurrent =
        CLibrary.handle(
            symbols,
            "_ZN3c104cuda20setCurrentCUDAStreamENS0_10CUDAStreamE",
            FunctionDescriptor.ofVoid(STREAM));
    handle =
        CLibrary.handle(
            symbols,
            "_ZNK3c104cuda10CUDAStream6streamEv",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
  }

  static TorchStreams get() {
    return Holder.STREAMS;
  }

  /**
   * A stream of libtorch.
   *
   * @param handle what the driver knows it by, 0 for the default stream
   */
  record Stream(long device, long number, long handle) {}

  /** The stream that operations of this thread go to. */
  Stream current() {
    return stream(current);
  }

  /**
   * A stream other than the default one, the same every time: cuBLAS keeps some memory for every
   * stream it has been used on. Its kernels go before those of others, for which less waits.
   */
  Stream side() {
    return sides.computeIfAbsent(current().device() & DEVICE_BITS, _ -> stream(urgent));
  }

  /** Another one, for what runs beside the operations of either. */
  Stream second() {
    return seconds.computeIfAbsent(current().device() & DEVICE_BITS, _ -> stream(fromPool));
  }

  /** Sends the operations of this thread to {@code stream}. */
  void setCurrent(Stream stream) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(STREAM);
      value.setAtIndex(ValueLayout.JAVA_LONG, 0, stream.device());
      value.setAtIndex(ValueLayout.JAVA_LONG, 1, stream.number());
      setCurrent.invokeExact(value);
    } catch (Throwable e) {
      throw new IllegalStateException("setCurrentCUDAStream", e);
    }
  }

  /** What a function that needs no more arguments gives. */
  private Stream stream(MethodHandle function) {
    try (var arena = Arena.ofConfined()) {
      var value = (MemorySegment) function.invokeExact((SegmentAllocator) arena);
      return new Stream(
          value.getAtIndex(ValueLayout.JAVA_LONG, 0),
          value.getAtIndex(ValueLayout.JAVA_LONG, 1),
          (long) handle.invokeExact(value));
    } catch (Throwable e) {
      throw new IllegalStateException("asking libtorch for a stream", e);
    }
  }
}
