package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Convolution;
import cifvi.nn.FlatParameters;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * The weights of a decoder's convolutions in the order in which kernels read them, as {@code
 * prepare_convolutions.cu} makes it.
 */
final class DecoderWeights {
  /** Blocks that share a weight. */
  static final int PARTS = 16;

  private static final int THREADS = 256;

  /** Of a job. */
  private static final int WORDS = 10;

  /** For whom the weights are. */
  enum Reader {
    /** {@code decoder_convolution.cu}. */
    BATCH("prepare_convolutions", ConvolutionShape.EIGHT),
    /** {@code image_sum.cuh}. */
    IMAGE("prepare_image_convolutions", ImageConvolution.DEPTH);

    private final String kernel;

    /** Channels of the input that one product multiplies. */
    private final int depth;

    Reader(String kernel, int depth) {
      this.kernel = kernel;
      this.depth = depth;
    }
  }

  private final Reader reader;
  private final List<Integer> words = new ArrayList<>();
  private int size;

  DecoderWeights(Reader reader) {
    this.reader = reader;
  }

  /**
   * Makes room for the weights of convolutions that have the same sides, and says where it begins.
   * The way to P is that of a plain convolution and of the gradient of a transposed one: such
   * weights lie side by side, as those of one with more channels of the output. For the way to Q,
   * back through a plain one or on through a transposed one, they have more of the input.
   */
  int add(List<Convolution> convolutions, boolean toP) {
    int target = size;
    Convolution any = convolutions.getFirst();
    int ns = toP ? any.channelsP() : any.channelsQ();
    int ks = toP ? any.channelsQ() : any.channelsP();
    int ofQ = ConvolutionShape.WEIGHTS;
    int ofP = any.channelsQ() * ofQ;
    int own = Math.ceilDiv(ks, reader.depth);
    int depths = toP ? own : own * convolutions.size();
    int allNs = toP ? ns * convolutions.size() : ns;
    for (int i = 0; i < convolutions.size(); i++) {
      Convolution c = convolutions.get(i);
      int flip = !toP && !c.transposed() ? 1 : 0;
      int n = toP ? i * ns : 0;
      int k = toP ? 0 : i * own * reader.depth;
      words.addAll(List.of(c.weight(), toP ? ofP : ofQ, toP ? ofQ : ofP, flip, ns, ks));
      words.addAll(List.of(n, k, depths, target));
    }
    int groups = Math.ceilDiv(allNs, ConvolutionShape.GATHERED) * 2; // as many as a warp may read
    size += groups * ConvolutionShape.PAIR * depths * reader.depth * ofQ;
    return target;
  }

  /** Of the images before and behind. */
  static ConvolutionShape shape(Convolution c, boolean toP) {
    return toP
        ? new ConvolutionShape(c.sideQ(), c.side())
        : new ConvolutionShape(c.side(), c.sideQ());
  }

  /** All that was asked for. */
  Prepared prepared(Launcher launcher, FlatParameters flat, DeviceMemory memory) {
    return new Prepared(
        reader, launcher, flat, memory.integers(words), words.size() / WORDS, memory.floats(size));
  }

  /** On a device. */
  record Prepared(
      Reader reader,
      Launcher launcher,
      FlatParameters flat,
      Tensor jobs,
      int count,
      Tensor numbers) {
    void run() {
      launcher.launch(reader.kernel, count * PARTS, THREADS, 0, jobs, flat.effective(), numbers);
    }

    Tensor from(int place) {
      return numbers.narrow(0, place, numbers.numel() - place);
    }
  }
}
