package cifvi.nn;

import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Scope;
import cifvi.tensor.Shapes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/**
 * The only mutable thing: every trainable tensor and buffer of a model under dotted names such as
 * {@code layers.0.q.0.weight}.
 *
 * <p>Networks register themselves while they are built, each under its own {@link #in child}. The
 * first call of {@link #flat} closes the tree and moves all trainable tensors into one buffer; the
 * tensors that networks hold become views of it. Initial values depend on the seed and the full
 * name alone, so that adding a layer leaves the others as they were.
 */
public final class Parameters implements AutoCloseable {
  /**
   * A trainable tensor; where {@code mask} is 0 its entries take no part in the model and get no
   * gradient.
   */
  record Entry(String name, Tensor value, @Nullable Tensor mask) {}

  private static final class Tree {
    final Backend backend;
    final long seed;
    final SequencedMap<String, Entry> entries = new LinkedHashMap<>();
    final SequencedMap<String, Tensor> buffers = new LinkedHashMap<>();
    final List<Runnable> afterStep = new ArrayList<>();
    final List<Runnable> whenMeasured = new ArrayList<>();
    final List<Pointer> owned = new ArrayList<>();
    @Nullable FlatParameters flat;
    boolean training;
    long loads;

    Tree(Backend backend, long seed) {
      this.backend = backend;
      this.seed = seed;
    }
  }

  private final Tree tree;
  private final String prefix;

  public Parameters(Backend backend, long seed) {
    this(new Tree(backend, seed), "");
  }

  private Parameters(Tree tree, String prefix) {
    this.tree = tree;
    this.prefix = prefix;
  }

  /** The part of this tree whose names begin with {@code child}. */
  public Parameters in(String child) {
    return new Parameters(tree, prefix + child + ".");
  }

  /** Registers a trainable tensor with these starting values. */
  public Tensor add(String name, Tensor start) {
    return register(name, start, null);
  }

  /** Registers a trainable tensor with entries drawn from U(-bound, bound). */
  public Tensor uniform(String name, double bound, long... shape) {
    return register(name, uniformStart(name, bound, shape), null);
  }

  /**
   * Registers a matrix of which only the entries where {@code mask} is 1 take part; the others
   * start at 0, so that a network is right before {@link #flat} too, and are not trained.
   */
  public Tensor masked(String name, double bound, Tensor mask) {
    return register(name, uniformStart(name, bound, mask.shape()).mul(mask), mask);
  }

  /** Registers a tensor that is saved but not trained. */
  public Tensor buffer(String name, Tensor value) {
    String full = free(name);
    Tensor buffer = Scope.keep(value.detach().clone());
    tree.buffers.put(full, buffer);
    return buffer;
  }

  /** Lets a constant of a network live as long as this tree. */
  public <P extends Pointer> P own(P constant) {
    tree.owned.add(Scope.keep(constant));
    return constant;
  }

  /** Noise that belongs to this name, for starting values and permutations. */
  public CounterRng rng(Purpose purpose, String name) {
    var crc = new CRC32();
    crc.update((prefix + name).getBytes(StandardCharsets.UTF_8));
    return new CounterRng(backend(), tree.seed, purpose).step(crc.getValue());
  }

  /**
   * Runs {@code action} after every training step that was applied; batch norm folds its statistics
   * in here.
   */
  public void afterStep(Runnable action) {
    tree.afterStep.add(action);
  }

  /**
   * Runs {@code action} after a pass in training mode whose batch alone shall be what layers
   * remember; batch norm gives up its running averages for it.
   */
  public void whenMeasured(Runnable action) {
    tree.whenMeasured.add(action);
  }

  /** Ends such a pass. */
  public void measured() {
    tree.whenMeasured.forEach(Runnable::run);
  }

  /** Tells layers that behave differently in training (batch norm) which mode holds. */
  public void training(boolean training) {
    tree.training = training;
  }

  public boolean training() {
    return tree.training;
  }

  /** Whether a training step changes buffers, as batch norm does. */
  public boolean stepChangesBuffers() {
    return !tree.afterStep.isEmpty();
  }

  /** Ends a training step that was applied. */
  public void stepDone() {
    tree.afterStep.forEach(Runnable::run);
  }

  public Backend backend() {
    return tree.backend;
  }

  /** All trainable tensors as one buffer; closes the tree. */
  public FlatParameters flat() {
    if (tree.flat == null) {
      tree.flat = new FlatParameters(backend(), List.copyOf(tree.entries.values()));
    }
    return tree.flat;
  }

  /** Buffers by full name, in the order they were registered. */
  public SequencedMap<String, Tensor> buffers() {
    return Collections.unmodifiableSequencedMap(tree.buffers);
  }

  /**
   * Everything that is saved, by full name: trainable tensors, as views that belong to the caller's
   * {@code PointerScope}, and buffers.
   */
  public SortedMap<String, Tensor> state() {
    var state = new TreeMap<String, Tensor>(tree.buffers);
    var flat = flat();
    names().forEach(name -> state.put(name, flat.view(flat.values(), name)));
    return state;
  }

  /**
   * Replaces the whole {@link #state}; every name and shape must fit.
   *
   * @throws IllegalArgumentException naming all that is missing, unexpected or of another shape
   */
  public void load(Map<String, Tensor> state) {
    try (var _ = new PointerScope()) {
      var own = state();
      var problems = new ArrayList<String>();
      own.forEach((name, tensor) -> problems.addAll(mismatch(name, tensor, state.get(name))));
      state.keySet().stream()
          .filter(name -> !own.containsKey(name))
          .forEach(name -> problems.add("unexpected " + name));
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(
            "parameters do not fit the model: " + String.join("; ", problems));
      }
      replace(() -> own.forEach((name, tensor) -> tensor.copy_(state.get(name))));
    }
  }

  /** Lets {@code change} write another {@link #state} over this one, in place. */
  public void replace(Runnable change) {
    flat().update(change);
    tree.loads++;
  }

  /**
   * How often the state was replaced. Steps change trainable tensors and running averages alone;
   * whoever keeps a copy of another buffer makes it anew when this has changed.
   */
  public long loads() {
    return tree.loads;
  }

  private static List<String> mismatch(String name, Tensor own, @Nullable Tensor given) {
    if (given == null) {
      return List.of("missing " + name);
    }
    if (isInteger(own) != isInteger(given)) {
      return List.of(
          name + ": expected " + (isInteger(own) ? "integers, got reals" : "reals, got integers"));
    }
    boolean fits = Arrays.equals(own.shape(), given.shape());
    return fits
        ? List.of()
        : List.of(
            name
                + ": expected "
                + Shapes.text(own.shape())
                + ", got "
                + Shapes.text(given.shape()));
  }

  private static boolean isInteger(Tensor tensor) {
    return tensor.scalar_type().intern() == ScalarType.Long;
  }

  /** Names of the trainable tensors, in the order they were registered. */
  public List<String> names() {
    return List.copyOf(tree.entries.keySet());
  }

  /**
   * Number of trainable numbers whose name begins with this tree's prefix, masked entries included.
   */
  public long count() {
    return tree.entries.values().stream()
        .filter(e -> e.name().startsWith(prefix))
        .mapToLong(e -> e.value().numel())
        .sum();
  }

  @Override
  public void close() {
    if (tree.flat != null) {
      tree.flat.close();
      tree.flat = null;
    }
    for (Entry entry : tree.entries.values()) {
      Scope.release(entry.value());
      if (entry.mask() != null) {
        Scope.release(entry.mask());
      }
    }
    tree.buffers.values().forEach(Scope::release);
    tree.owned.forEach(Scope::release);
    tree.owned.clear();
    tree.entries.clear();
    tree.buffers.clear();
  }

  private Tensor uniformStart(String name, double bound, long... shape) {
    var rng = rng(Purpose.INITIALISE, name);
    double[] values = rng.uniforms(1, Shapes.count(shape));
    for (int i = 0; i < values.length; i++) {
      values[i] = bound * (2 * values[i] - 1);
    }
    return backend().tensor(values, shape);
  }

  private Tensor register(String name, Tensor start, @Nullable Tensor mask) {
    String full = free(name);
    Tensor value = Scope.keep(start.detach().clone());
    value.set_requires_grad(true);
    tree.entries.put(full, new Entry(full, value, mask == null ? null : Scope.keep(mask)));
    return value;
  }

  private String free(String name) {
    if (tree.flat != null) {
      throw new IllegalStateException(
          "cannot add " + prefix + name + ": the parameters are in use already");
    }
    String full = prefix + name;
    if (tree.entries.containsKey(full) || tree.buffers.containsKey(full)) {
      throw new IllegalArgumentException(full + " is already registered");
    }
    return full;
  }
}
