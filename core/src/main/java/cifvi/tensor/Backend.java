package cifvi.tensor;

import java.util.regex.Pattern;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Where tensors live and how exact they are: a device and a {@link Precision}. */
public final class Backend {
  private static final Pattern DEVICE = Pattern.compile("cpu|cuda(:\\d{1,3})?");

  private final String device;
  private final Precision precision;
  private final Device torchDevice;
  private final TensorOptions options;

  private Backend(String device, Precision precision) {
    Torch.load();
    this.device = device;
    this.precision = precision;
    this.torchDevice = Scope.keep(new Device(device));
    this.options =
        Scope.keep(
            new TensorOptions()
                .dtype(new ScalarTypeOptional(precision.scalarType()))
                .device(new DeviceOptional(torchDevice)));
  }

  /** The processor, in the given precision. */
  public static Backend cpu(Precision precision) {
    return new Backend("cpu", precision);
  }

  /** {@code cpu}, {@code cuda} or {@code cuda:n}. */
  public static Backend of(String device, Precision precision) {
    if (!DEVICE.matcher(device).matches()) {
      throw new IllegalArgumentException("device: expected cpu, cuda or cuda:n, got " + device);
    }
    if (!device.equals("cpu")) {
      requireCuda(device);
    }
    return new Backend(device, precision);
  }

  private static void requireCuda(String device) {
    Torch.cudaObstacle()
        .ifPresent(
            why -> {
              throw new DeviceException(
                  "device: " + device + " is not available: " + why + ", or use the device cpu");
            });
    int count = Torch.cudaDevices();
    if (device.contains(":") && Long.parseLong(device.substring(5)) >= count) {
      throw new DeviceException(
          "device: %s is not available: expected cuda:0 to cuda:%d".formatted(device, count - 1));
    }
  }

  public String device() {
    return device;
  }

  /** Whether tensors live on a GPU. */
  public boolean cuda() {
    return device.startsWith("cuda");
  }

  public Precision precision() {
    return precision;
  }

  /** Type and device for libtorch's factory functions. */
  public TensorOptions options() {
    return options;
  }

  /** A tensor that holds anything. */
  public Tensor empty(long... shape) {
    return torch.empty(shape, options, new MemoryFormatOptional());
  }

  /** A tensor of zeros. */
  public Tensor zeros(long... shape) {
    return torch.zeros(shape, options);
  }

  /** A tensor of one number. */
  public Tensor full(double value, long... shape) {
    return torch.full(shape, Scalars.of(value), options);
  }

  /** A tensor of real numbers with the given row-major values. */
  public Tensor tensor(double[] values, long... shape) {
    requireCount(values.length, shape);
    return switch (precision) {
      case FLOAT32 -> tensor(floats(values), shape);
      case FLOAT64 ->
          onDevice(
              host(ScalarType.Double, values.length, p -> new DoublePointer(p).put(values)), shape);
    };
  }

  /** A tensor of real numbers with the given row-major values. */
  public Tensor tensor(float[] values, long... shape) {
    requireCount(values.length, shape);
    return onDevice(
        host(ScalarType.Float, values.length, p -> new FloatPointer(p).put(values)), shape);
  }

  /** A tensor of integers, for permutations and the like. */
  public Tensor longs(long[] values, long... shape) {
    requireCount(values.length, shape);
    Tensor host = host(ScalarType.Long, values.length, p -> new LongPointer(p).put(values));
    return host.to(torchDevice, ScalarType.Long).view(shape);
  }

  /** A tensor of unsigned bytes. */
  public Tensor bytes(byte[] values) {
    Tensor host = host(ScalarType.Byte, values.length, p -> new BytePointer(p).put(values));
    return host.to(torchDevice, ScalarType.Byte);
  }

  /** The elements of any tensor, row-major, as Java numbers. */
  public static double[] doubles(Tensor tensor) {
    try (var _ = new PointerScope()) {
      Tensor host = tensor.detach().to(ScalarType.Double).cpu().contiguous();
      double[] values = new double[Math.toIntExact(host.numel())];
      if (values.length > 0) { // an empty tensor has no memory
        new DoublePointer(host.data_ptr()).get(values);
      }
      return values;
    }
  }

  /** The elements of an integer tensor, row-major. */
  public static long[] longs(Tensor tensor) {
    try (var _ = new PointerScope()) {
      Tensor host = tensor.detach().to(ScalarType.Long).cpu().contiguous();
      long[] values = new long[Math.toIntExact(host.numel())];
      if (values.length > 0) {
        new LongPointer(host.data_ptr()).get(values);
      }
      return values;
    }
  }

  @Override
  public String toString() {
    return device + " " + precision;
  }

  private interface Filler {
    void fill(Pointer data);
  }

  private static Tensor host(ScalarType type, long count, Filler filler) {
    Tensor host =
        torch.empty(new long[] {count}, new TensorOptions(type), new MemoryFormatOptional());
    if (count > 0) {
      filler.fill(host.data_ptr());
    }
    return host;
  }

  private Tensor onDevice(Tensor host, long... shape) {
    return host.to(torchDevice, precision.scalarType()).view(shape);
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  private static void requireCount(long count, long... shape) {
    if (count != Shapes.count(shape)) {
      throw new IllegalArgumentException(
          "values: expected "
              + Shapes.count(shape)
              + " for shape "
              + Shapes.text(shape)
              + ", got "
              + count);
    }
  }
}
