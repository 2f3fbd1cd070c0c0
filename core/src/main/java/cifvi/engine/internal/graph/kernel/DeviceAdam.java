package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.nn.FlatParameters;
import cifvi.nn.FlatParameters.Slice;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Scope;
import cifvi.vi.Adam;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Norm, clipping and {@link Adam} on the device by {@code adam.cu}, which asks the host nothing:
 * the number of the step, its learning rate and the clocks of the tensors lie in device memory, and
 * what a step has to report goes to a ring there.
 *
 * <p>The moments are those of the {@code Adam} it is made for; its clocks are there between {@link
 * #start} and {@link #stop}.
 */
public final class DeviceAdam implements AutoCloseable {
  /** Steps that can be under way before their reports are read. */
  public static final int RING = 64;

  private static final int REPORT_WORDS = 3;
  private static final int STEP_WORDS = DeviceRng.ADDRESS_WORDS + 3;
  private static final int THREADS = 256;
  private static final int TILE = 4 * THREADS;
  private static final int SHARED_BYTES = (THREADS + THREADS / 16) * Double.BYTES;

  private final Launcher launcher;
  private final Backend backend;
  private final FlatParameters flat;
  private final Adam adam;
  private final double clip;
  private final int tensors;
  private final int tileCount;

  // Memory of 64-bit words, see adam.cu.
  private final List<Tensor> owned = new ArrayList<>();
  private final Tensor step;
  private final Tensor tiles;
  private final Tensor firsts;
  private final Tensor squares;
  private final Tensor any;
  private final Tensor clocks;
  private final Tensor rates;
  private final Tensor roots;
  private final Tensor ring;
  private final Tensor arrived;
  private final Tensor applied;

  public DeviceAdam(
      Launcher launcher, Backend backend, FlatParameters flat, Adam adam, StepOptions options) {
    this.launcher = launcher;
    this.backend = backend;
    this.flat = flat;
    this.adam = adam;
    this.clip = options.clip().orElse(Double.POSITIVE_INFINITY);
    var slices = List.copyOf(flat.slices().values());
    tensors = slices.size();
    long[] first = new long[tensors + 1];
    long[] table = tiles(slices, first);
    tileCount = (int) first[tensors];
    step = words(new long[STEP_WORDS]);
    tiles = words(table);
    firsts = words(first);
    squares = words(new long[tileCount]);
    any = words(new long[tileCount]);
    clocks = words(new long[1 + tensors]);
    rates = words(new long[tensors]);
    roots = words(new long[tensors]);
    ring = words(new long[RING * REPORT_WORDS]);
    arrived = words(new long[1]);
    applied = Scope.keep(backend.zeros().to(ScalarType.Bool));
    owned.add(applied);
  }

  private Tensor words(long[] values) {
    Tensor words = Scope.keep(backend.longs(values, values.length));
    owned.add(words);
    return words;
  }

  /** (tensor, from, to) of every tile; {@code first} gets the number of each tensor's first. */
  private static long[] tiles(List<Slice> slices, long[] first) {
    var table = new ArrayList<Long>();
    for (int t = 0; t < slices.size(); t++) {
      long end = slices.get(t).offset() + slices.get(t).count();
      for (long from = slices.get(t).offset(); from < end; from += TILE) {
        table.addAll(List.of((long) t, from, Math.min(end, from + TILE)));
      }
      first[t + 1] = table.size() / 3;
    }
    return table.stream().mapToLong(n -> n).toArray();
  }

  /** Where the address of the step's noise lies. */
  public long noiseAddress() {
    return step.data_ptr().address();
  }

  /** Takes over the clocks of the host's {@link Adam}. */
  public void start() {
    long[] words = new long[1 + tensors];
    words[0] = adam.updates();
    int i = 1;
    for (long start : adam.starts().values()) {
      words[i++] = start;
    }
    try (var _ = new PointerScope()) {
      clocks.copy_(backend.longs(words, words.length));
    }
  }

  /** Gives the clocks back, all steps being done. */
  public void stop() {
    try (var _ = new PointerScope()) {
      long[] words = Backend.longs(clocks);
      var starts = new LinkedHashMap<String, Long>();
      flat.slices().sequencedKeySet().forEach(name -> starts.put(name, words[1 + starts.size()]));
      adam.resume(words[0], starts);
    }
  }

  /**
   * Says which step is next; never part of what is captured.
   *
   * @param noise of the step
   * @param slot where it reports, less than {@link #RING}
   */
  public void next(CounterRng noise, double rate, int slot) {
    launcher.launch(
        "set_step",
        1,
        1,
        0,
        step,
        noise.seed(),
        noise.step(),
        (long) noise.purpose().code(),
        rate,
        (long) slot);
  }

  /** The next step is a warm-up, which changes nothing and reports nothing. */
  public void warmUp(CounterRng noise) {
    next(noise, 0, -1);
  }

  /**
   * Moves the parameters against the gradient, if that and the objective are finite.
   *
   * @param objective its mean over the batch, one number on the device
   */
  public void update(Tensor objective) {
    Tensor value = objective.to(ScalarType.Double);
    launcher.launch(
        "gradient_squares",
        tileCount,
        THREADS,
        SHARED_BYTES,
        tiles,
        flat.gradient(),
        flat.mask(),
        List.of(step, firsts, squares, any, value, clocks, rates, roots, applied, ring),
        (long) tensors,
        clip,
        arrived);
    launcher.launch(
        "adam",
        tileCount,
        THREADS,
        0,
        step,
        tiles,
        applied,
        rates,
        roots,
        flat.gradient(),
        flat.mask(),
        adam.m(),
        adam.v(),
        flat.values(),
        flat.effective());
  }

  /** Whether the last update was made, a Boolean on the device. */
  public Tensor applied() {
    return applied;
  }

  /** Waits for all steps and reads what those with the given numbers report, in slots 0, 1, … */
  public List<StepInfo> reports(List<Long> steps) {
    try (var _ = new PointerScope()) {
      long[] words = Backend.longs(ring);
      var reports = new ArrayList<StepInfo>();
      for (int i = 0; i < steps.size(); i++) {
        double[] report = new double[REPORT_WORDS];
        for (int j = 0; j < REPORT_WORDS; j++) {
          report[j] = Double.longBitsToDouble(words[REPORT_WORDS * i + j]);
        }
        reports.add(new StepInfo(steps.get(i), report[0], report[1], report[2] != 0));
      }
      return reports;
    }
  }

  @Override
  public void close() {
    owned.forEach(Scope::release);
  }
}
