package cifvi.engine.internal.graph.kernel;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.engine.internal.graph.program.Program;
import cifvi.nn.FlatParameters;
import cifvi.nn.LargeDecoder;
import cifvi.nn.LargeDecoder.Block;
import cifvi.target.BernoulliImageModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Takes a batch through the large decoder, forward and backward, behind its linear start, which is
 * an operation of the chain: {@link Launches} have the convolutions and the gradients of what they
 * saw, {@link ConvolutionKernels} those of their weights, all at once.
 */
public final class DecoderPass {
  /** Blocks that share the gradients of an image. */
  static final int GRADIENT_PARTS = 4;

  /** Convolutions of a direction. */
  static final int CONVOLUTIONS = 12;

  private static final int THREADS = 256;

  /**
   * What the backward pass leaves.
   *
   * @param dPlanes of what every block gave
   */
  private record Training(
      ConvolutionKernels weights,
      List<DecoderBlock.Gradients> gradients,
      List<Tensor> dPlanes,
      Tensor dLogits) {
    /** What convolutions were given back. */
    Stream<Tensor> all() {
      var dHidden = gradients.stream().map(DecoderBlock.Gradients::dHidden);
      return Stream.concat(Stream.of(dLogits), Stream.concat(dPlanes.stream(), dHidden));
    }
  }

  /**
   * Runs the convolutions of a pass through the large decoder.
   *
   * @param channels of the linear start
   * @param together whether all of them are one launch, a block an image
   * @param seen what they see, for the way back; null where there is none, and only the last writes
   *     what it gives
   */
  private record Launches(
      Launcher launcher, int rows, int channels, boolean together, @Nullable Tensor seen) {
    /**
     * @param kernel that has all of them
     */
    void run(String kernel, List<DecoderConvolution.Call> calls) {
      if (together) {
        var written = new ArrayList<>(calls);
        if (seen == null) {
          written.subList(0, calls.size() - 1).replaceAll(DecoderConvolution.Call::withoutOutput);
        }
        List<@Nullable Tensor> tensors =
            written.stream().flatMap(call -> call.tensors().stream()).toList();
        var shared = ImageConvolution.Shared.of(channels);
        int threads = ConvolutionShape.WARP * ImageConvolution.WARPS;
        int sumsAt = shared.planes() / Float.BYTES;
        launcher.launch(kernel, rows, threads, shared.all(), tensors, channels, sumsAt, seen);
      } else {
        calls.forEach(call -> call.convolution().run(launcher, rows, call));
      }
    }

    DecoderWeights.Reader reader() {
      return together ? DecoderWeights.Reader.IMAGE : DecoderWeights.Reader.BATCH;
    }
  }

  private final Program.Decoder segment;
  private final Launcher launcher;
  private final TapeView tape;
  private final List<DecoderBlock> blocks = new ArrayList<>();
  private final List<DecoderBlock.Planes> planes = new ArrayList<>();
  private final DecoderWeights.Prepared weights;
  private final Launches launches;
  private final Tensor logits;
  private final @Nullable Training training;

  /** For {@link #forward} and, where it is to {@code training}, {@link #backward}. */
  public DecoderPass(
      Program.Decoder segment,
      Launcher launcher,
      FlatParameters flat,
      TapeView tape,
      DeviceMemory memory,
      boolean training) {
    this.segment = segment;
    this.launcher = launcher;
    this.tape = tape;
    int rows = tape.rows();
    int channels = segment.decoder().channels();
    boolean together = ImageConvolution.fits(channels, launcher.limits());
    Tensor seen = together && training ? memory.floats(ImageConvolution.seen(rows)) : null;
    launches = new Launches(launcher, rows, channels, together, seen);
    var all = new DecoderWeights(launches.reader());
    int side = LargeDecoder.START;
    for (Block block : segment.decoder().blocks()) {
      blocks.add(new DecoderBlock(block, side, flat, all, training));
      side = block.conv2().side(side);
    }
    weights = all.prepared(launcher, flat, memory);
    long pixels = (long) rows * side * side;
    logits = memory.floats(pixels);
    if (training) {
      blocks.forEach(block -> planes.add(block.planes(rows, memory)));
      this.training =
          new Training(
              new ConvolutionKernels(
                  launcher, flat, convolutions(segment.decoder(), flat), rows, memory),
              blocks.stream().map(block -> block.gradients(rows, memory)).toList(),
              blocks.stream().map(block -> memory.floats((long) rows * block.outSize())).toList(),
              memory.floats(pixels));
    } else {
      share(rows, memory);
      this.training = null;
    }
  }

  /** Planes for blocks of which nobody asks later: what one was given may be overwritten. */
  private void share(int rows, DeviceMemory memory) {
    if (launches.together) {
      Tensor last = memory.floats((long) rows * blocks.getLast().outSize());
      blocks.forEach(_ -> planes.add(new DecoderBlock.Planes(last, last)));
      return;
    }
    long hidden = blocks.stream().mapToLong(DecoderBlock::hiddenSize).max().orElseThrow();
    long out = blocks.stream().mapToLong(DecoderBlock::outSize).max().orElseThrow();
    Tensor ofAll = memory.floats(rows * hidden);
    List<Tensor> turns = List.of(memory.floats(rows * hidden), memory.floats(rows * out));
    for (int i = 0; i < blocks.size(); i++) {
      planes.add(new DecoderBlock.Planes(ofAll, turns.get(i % 2)));
    }
  }

  /** The last comes first, as in the backward pass. */
  public static List<Convolution> convolutions(LargeDecoder decoder, FlatParameters flat) {
    List<Convolution> all = new ArrayList<>();
    int side = LargeDecoder.START;
    for (Block block : decoder.blocks()) {
      if (block.shortcut() != null) {
        all.add(Convolution.of(block.shortcut(), side, false, flat));
      }
      all.add(Convolution.of(block.conv1(), side, true, flat));
      all.add(Convolution.of(block.conv2(), side, false, flat));
      side = block.conv2().side(side);
    }
    all.add(Convolution.of(decoder.last(), side, true, flat));
    Collections.reverse(all);
    return all;
  }

  /** Puts the weights into the order in which {@link #forward} and {@link #backward} read them. */
  public void prepare() {
    weights.run();
  }

  /** Writes log p(x, z) of the z on the tape to it. */
  public void forward(Observation observation) {
    try (var _ = new NoGradGuard()) {
      LargeDecoder decoder = segment.decoder();
      Tensor h = tape.value(segment.start());
      List<DecoderConvolution.Call> calls = new ArrayList<>();
      for (int i = 0; i < blocks.size(); i++) {
        calls.addAll(blocks.get(i).forward(weights, h, planes.get(i)));
        h = planes.get(i).out();
      }
      launches.run("decode_images", calls);
      launcher.launch(
          "bernoulli_images",
          tape.rows(),
          THREADS,
          THREADS * Double.BYTES,
          h,
          Math.toIntExact(decoder.last().weight().size(1)),
          decoder.last().weight(),
          decoder.last().bias(),
          images(observation),
          tape.value(segment.z()),
          segment.z().size(),
          logits,
          tape.value(segment.out()));
    }
  }

  /**
   * From the gradient of log p(x, z) on the tape to those of z and of what the start gave:
   * gradients of parameters are added to the model's own buffer.
   *
   * @param importance of every row for gradients of parameters; null where all weigh the same
   * @return adds those of the convolutions' weights, for which nothing of the backward pass waits
   */
  public Runnable backward(Observation observation, @Nullable Tensor importance) {
    try (var _ = new NoGradGuard()) {
      LargeDecoder decoder = segment.decoder();
      Training to = Objects.requireNonNull(training);
      Tensor last = planes.getLast().out();
      launcher.launch(
          "bernoulli_gradients",
          tape.rows() * GRADIENT_PARTS,
          THREADS,
          0,
          last,
          Math.toIntExact(decoder.last().weight().size(1)),
          decoder.last().weight(),
          images(observation),
          logits,
          tape.gradient(segment.out()),
          to.dLogits,
          to.dPlanes.getLast(),
          tape.value(segment.z()),
          segment.z().size(),
          tape.gradient(segment.z()));
      var seen = new DecoderBlock.Seen(new ArrayList<>(), new ArrayList<>());
      seen.add(last, to.dLogits);
      List<DecoderConvolution.Call> calls = new ArrayList<>();
      for (int i = blocks.size() - 1; i >= 0; i--) {
        Tensor h = i == 0 ? tape.value(segment.start()) : planes.get(i - 1).out();
        Tensor dh = i == 0 ? tape.gradient(segment.start()) : to.dPlanes.get(i - 1);
        Tensor dy = to.dPlanes.get(i);
        var gradients = to.gradients.get(i);
        calls.addAll(blocks.get(i).backward(weights, h, planes.get(i), dy, gradients, dh, seen));
      }
      launches.run("decode_images_back", calls);
      if (importance != null) {
        to.all().forEach(gradient -> weigh(gradient, importance));
      }
      return () -> to.weights.add(seen.x(), seen.dy());
    }
  }

  private static Tensor images(Observation observation) {
    return BernoulliImageModel.images(observation).contiguous();
  }

  private void weigh(Tensor gradient, Tensor importance) {
    gradient.view(tape.rows(), -1).mul_(importance.view(-1, 1));
  }
}
