package cifvi.engine.internal.graph.kernel;

import cifvi.bijection.BatchNorm;
import cifvi.bijection.LuLinear;
import cifvi.bijection.RationalQuadraticSpline;
import cifvi.engine.internal.graph.program.LinearOps;
import cifvi.engine.internal.graph.program.OpKind;
import cifvi.engine.internal.graph.program.PrepareJob;
import cifvi.engine.internal.graph.program.Program;
import cifvi.engine.internal.graph.program.WeightMap;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Images;
import cifvi.nn.LargeDecoder;
import cifvi.tensor.Precision;
import cifvi.vi.Adam;
import cifvi.vi.StepOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** CUDA source files, which lie beside this class, as few texts, since NVRTC knows no files. */
public final class KernelSource {
  /** Registers of a thread: 512 threads fit on a multiprocessor; with fewer, products spill. */
  private static final int REGISTERS = 128;

  /** Numbers of shared memory that a block has for whatever an operation wants them. */
  static final int SCRATCH = 2048;

  /** What the files below need; all in the order in which one needs the other. */
  private static final String BASICS =
      "block.cuh sum.cuh last_block.cuh softplus.cuh terms.cuh product.cuh linear.cuh normal.cuh ";

  private static final String OPERATIONS =
      """
      affine.cuh spline.cuh mixture.cuh boundary.cuh image.cuh taps.cuh convolution.cuh decoder.cuh
      batchnorm.cuh sinharcsinh.cuh interpreter.cuh
      """;

  private static final String WEIGHTS = "prepare.cu importance.cu weights.cu ";

  /** What takes an image through the convolutions of the large decoder. */
  private static final String IMAGES =
      """
      matrix.cuh half_matrix.cuh convolution_tensors.cuh image_grid.cuh image_planes.cuh
      image_sum.cuh image_convolution.cuh
      """;

  /** The large decoder, in parts that take about equally long. */
  private static final List<String> LARGE_DECODER =
      List.of(
          """
          matrix.cuh half_matrix.cuh convolution_tile.cuh planes.cuh convolution_room.cuh
          convolution_weights.cu
          """,
          "matrix.cuh convolution_tensors.cuh places.cuh windows.cuh decoder_convolution.cu ",
          IMAGES + "decode_images.cu ",
          IMAGES + "decode_images_back.cu ",
          """
          convolution_tile.cuh convolution_parts.cu decoder_ends.cu
          matrix.cuh half_matrix.cuh convolution_tensors.cuh prepare_convolutions.cu
          """);

  private KernelSource() {}

  /** The named files in this order, with {@code real} as the number type. */
  public static String of(Precision precision, String... files) {
    String real = precision == Precision.FLOAT32 ? "float" : "double";
    String prelude =
        "typedef %s real;\nconst double BETA1 = %s, BETA2 = %s, EPSILON = %s, CLIP_EPSILON = %s;\n"
            .formatted(real, Adam.BETA1, Adam.BETA2, Adam.EPSILON, StepOptions.CLIP_EPSILON);
    return Arrays.stream(files)
        .map(file -> "#line 1 \"%s\"\n%s".formatted(file, read(file)))
        .collect(Collectors.joining("\n", prelude, ""));
  }

  private static String read(String file) {
    try (var in = KernelSource.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("kernel source: " + file + " does not exist");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kernels of noise, Adam and buffers. */
  public static String common(Precision precision) {
    return of(precision, "noise.cu", "last_block.cuh", "adam.cu", "buffers.cu");
  }

  /** All kernels that a pass may have. */
  public static String pass() {
    String walks =
        Stream.of(Walk.values()).map(Walk::file).collect(Collectors.joining(" ", "", " "));
    String decoder = String.join("", LARGE_DECODER);
    return pass(EnumSet.allOf(OpKind.class), BASICS + OPERATIONS + walks + WEIGHTS + decoder);
  }

  /** The same as texts that can be compiled side by side. */
  public static List<String> passes() {
    return passes(_ -> EnumSet.allOf(OpKind.class), true);
  }

  /** Those that the passes of one program have, as such texts. */
  public static List<String> passes(Program program) {
    return passes(walk -> walk.meets(program), program.decoder().isPresent());
  }

  private static List<String> passes(Function<Walk, Set<OpKind>> met, boolean decoder) {
    var texts = new ArrayList<String>();
    for (Walk walk : Walk.values()) {
      Set<OpKind> kinds = met.apply(walk);
      if (!kinds.isEmpty()) {
        texts.add(pass(kinds, BASICS + OPERATIONS + walk.file()));
      }
    }
    var others = new ArrayList<>(decoder ? LARGE_DECODER : List.of());
    others.add(WEIGHTS);
    others.forEach(files -> texts.add(pass(EnumSet.noneOf(OpKind.class), BASICS + files)));
    return texts;
  }

  /** Files, every number that Java knows too in front. */
  private static String pass(Set<OpKind> used, String files) {
    var text = new StringBuilder();
    constant(text, "USED", used.stream().mapToInt(kind -> 1 << kind.code()).sum());
    for (OpKind kind : OpKind.values()) {
      constant(text, "OP_" + kind, kind.code());
    }
    for (WeightMap.Kind kind : WeightMap.Kind.values()) {
      constant(text, "MAP_" + kind, kind.code());
    }
    constant(text, "LINEAR_TANH", LinearOps.TANH);
    constant(text, "LINEAR_RELU", LinearOps.RELU);
    constant(text, "LINEAR_PREPARED", LinearOps.PREPARED);
    constant(text, "PREPARE_TRANSPOSE", PrepareJob.TRANSPOSE);
    constant(text, "PREPARE_JOB", PrepareJob.WORDS);
    constant(text, "TILE_SIDE", PrepareJob.SIDE);
    constant(text, "WEIGHT_THREADS", WeightKernels.THREADS);
    constant(text, "WEIGHT_RESIDENT", WeightKernels.RESIDENT);
    constant(text, "WEIGHT_SUMS", WeightTile.MAX_SIZE);
    constant(text, "WEIGHT_CHUNK", WeightKernels.CHUNK);
    constant(text, "MAX_SHARES", WeightKernels.MAX_SHARES);
    constant(text, "CONVOLUTIONS", ConvolutionKernels.CONVOLUTIONS);
    constant(text, "TILE_CHANNELS", ConvolutionTile.SIDE);
    constant(text, "HALVED_SIDE", ConvolutionTile.HALVED_SIDE);
    constant(text, "CONVOLUTION_PARTS", DecoderWeights.PARTS);
    constant(text, "GRADIENT_PARTS", DecoderPass.GRADIENT_PARTS);
    constant(text, "DECODER_THREADS", ConvolutionShape.WARP * ConvolutionShape.WARPS);
    constant(text, "DECODER_RESIDENT", ConvolutionShape.RESIDENT);
    constant(text, "ROW_TILES", ConvolutionShape.ROW_TILES);
    constant(text, "WARP_PLACES", ConvolutionShape.PLACES);
    constant(text, "GATHERED_CHANNELS", ConvolutionShape.GATHERED);
    constant(text, "SPREAD_CHANNELS", ConvolutionShape.SPREAD);
    constant(text, "IMAGE_WARPS", ImageConvolution.WARPS);
    constant(text, "IMAGE_KEPT", ImageConvolution.KEPT);
    constant(text, "DECODER_CONVOLUTIONS", DecoderPass.CONVOLUTIONS);
    constant(text, "DECODER_CHANNELS", ImageConvolution.CHANNELS);
    constant(text, "DECODER_START", LargeDecoder.START);
    constant(text, "REGISTERS", REGISTERS);
    constant(text, "SCRATCH", SCRATCH);
    constant(text, "IMAGE_SIDE", Images.SIDE);
    constant(text, "SMALL_SIDE", ImageVectorNet.SMALL);
    constant(text, "NORM_EPSILON", BatchNorm.EPSILON);
    constant(text, "NORM_MOMENTUM", BatchNorm.MOMENTUM);
    constant(text, "MIN_DERIVATIVE", RationalQuadraticSpline.MIN_DERIVATIVE);
    constant(text, "RAW_ONE", RationalQuadraticSpline.RAW_ONE);
    constant(text, "MIN_DIAGONAL", LuLinear.MIN_DIAGONAL);
    var once = Stream.of(files.split("\\s+")).distinct().toArray(String[]::new);
    return text + of(Precision.FLOAT32, once);
  }

  private static void constant(StringBuilder text, String name, int value) {
    text.append("constexpr int ").append(name).append(" = ").append(value).append(";\n");
  }

  private static void constant(StringBuilder text, String name, double value) {
    text.append("constexpr float %s = %sf;\n".formatted(name, (float) value));
  }
}
