package cifvi.stan;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import cifvi.LogDensity;
import cifvi.parameter.Outputs;
import cifvi.parameter.ParameterSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * log p(z | data) of a Stan model on the unconstrained space, with all constants and with the
 * Jacobian of its constraints, from a library that BridgeStan compiled.
 *
 * <p>Draws are told as Stan tells them: constrained parameters, transformed parameters and, if
 * wanted, generated quantities, under their dotted names. What Stan rejects has no density, and the
 * report of a fit has Stan's words.
 *
 * <p>A library that was built with {@code STAN_THREADS=true} is called by as many threads as a fit
 * is given; all others by one at a time, in the whole process.
 */
public final class StanModel implements LogDensity, AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final String THREADS = "STAN_THREADS=true";

  /** As many places as Stan itself tries, nearer ones first. */
  private static final int TRIES = 100;

  private static final double FARTHEST = 2;

  private final StanLibrary library;
  private final StanData data;
  private final MemorySegment model;
  private final @Nullable ReentrantLock lock;
  private final Cleaner.Cleanable memory;
  private final String name;
  private final int dimensions;
  private final ParameterSpace space;
  private final StanOutputs outputs;
  private final ThreadLocal<Buffers> buffers;
  private double @Nullable [] initialPoint;

  /** The numbers of a call in native memory, which every thread has its own of. */
  private record Buffers(
      MemorySegment z, MemorySegment value, MemorySegment gradient, MemorySegment error) {
    static Buffers of(int dimensions) {
      Arena arena = Arena.ofAuto(); // lives as long as its thread
      return new Buffers(
          arena.allocate(JAVA_DOUBLE, Math.max(1, dimensions)),
          arena.allocate(JAVA_DOUBLE),
          arena.allocate(JAVA_DOUBLE, Math.max(1, dimensions)),
          StanLibrary.noError(arena));
    }
  }

  /**
   * Opens a model without its generated quantities.
   *
   * @param data JSON if it begins with a brace, else a file of it; empty where the model has none
   * @throws IllegalArgumentException where the library cannot be opened, is no such model, or does
   *     not take the data, with the reason
   */
  public static StanModel open(Path library, String data) {
    return open(library, data, 1, false);
  }

  /**
   * The same.
   *
   * @param seed of what is random in the model's transformed data
   * @param generated whether draws have the model's generated quantities
   */
  public static StanModel open(Path library, String data, long seed, boolean generated) {
    return new StanModel(Libraries.open(library), StanData.of(data), seed, generated);
  }

  private StanModel(StanLibrary library, StanData data, long seed, boolean generated) {
    this.library = library;
    this.data = data;
    Arena arena = Arena.ofShared();
    StanLibrary.ONE_AT_A_TIME.lock(); // until the model has said whether it needs that
    try {
      model = construct(arena, (int) (seed ^ (seed >>> 32)));
      lock =
          StanLibrary.text(address(library.info)).contains(THREADS)
              ? null
              : StanLibrary.ONE_AT_A_TIME;
      name = StanLibrary.text(address(library.name));
      dimensions = (int) library.unconstrainedNumber.invokeExact(model);
      space = space();
      outputs = new StanOutputs(library, model, lock, dimensions, generated);
    } catch (Throwable e) {
      arena.close();
      throw StanLibrary.unexpected(e);
    } finally {
      StanLibrary.ONE_AT_A_TIME.unlock();
    }
    buffers = ThreadLocal.withInitial(() -> Buffers.of(dimensions));
    memory = CLEANER.register(this, () -> close(arena));
  }

  @SuppressWarnings("restricted")
  private MemorySegment construct(Arena arena, int seed) throws Throwable {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment error = StanLibrary.noError(call);
      var made =
          (MemorySegment)
              library.construct.invokeExact(call.allocateFrom(data.json()), seed, error);
      if (made.equals(MemorySegment.NULL)) {
        throw new IllegalArgumentException(
            "%s does not take %s: %s"
                .formatted(library.path(), data.from(), library.takeMessage(error)));
      }
      StanLibrary owner = library;
      return made.reinterpret(arena, pointer -> destruct(owner, pointer));
    }
  }

  private static void destruct(StanLibrary library, MemorySegment pointer) {
    StanLibrary.ONE_AT_A_TIME.lock();
    try {
      library.destruct.invokeExact(pointer);
    } catch (Throwable e) {
      throw StanLibrary.unexpected(e);
    } finally {
      StanLibrary.ONE_AT_A_TIME.unlock();
    }
  }

  private MemorySegment address(java.lang.invoke.MethodHandle function) throws Throwable {
    return (MemorySegment) function.invokeExact(model);
  }

  private ParameterSpace space() throws Throwable {
    if (dimensions < 1) {
      throw new IllegalArgumentException(
          library.path() + ": the model has no parameters, so there is nothing to fit");
    }
    List<String> names = StanNames.split(StanLibrary.text(address(library.unconstrainedNames)));
    return StanNames.space(names);
  }

  /** The model's name. */
  public String name() {
    return name;
  }

  @Override
  public int dimensions() {
    return dimensions;
  }

  /** The unconstrained numbers under their names. */
  @Override
  public ParameterSpace parameters() {
    return space;
  }

  @Override
  public Outputs outputs() {
    return outputs;
  }

  @Override
  public Calls calls() {
    return lock == null ? Calls.PARALLEL : Calls.ONE_AT_A_TIME;
  }

  @Override
  public String identity() {
    return "Stan model %s, SHA-256 of its library %.16s, of its data %.16s"
        .formatted(name, library.hash(), data.hash());
  }

  @Override
  public double at(double[] z, double[] gradient) {
    Buffers call = buffers.get();
    MemorySegment.copy(z, 0, call.z, JAVA_DOUBLE, 0, dimensions);
    if (lock == null) {
      evaluate(call);
    } else {
      lock.lock();
      try {
        evaluate(call);
      } finally {
        lock.unlock();
      }
    }
    MemorySegment.copy(call.gradient, JAVA_DOUBLE, 0, gradient, 0, dimensions);
    return call.value.get(JAVA_DOUBLE, 0);
  }

  private void evaluate(Buffers call) {
    int code;
    call.error.set(ADDRESS, 0, MemorySegment.NULL); // it is left alone where all goes well
    try {
      code =
          (int)
              library.gradient.invokeExact(
                  model, false, true, call.z, call.value, call.gradient, call.error);
    } catch (Throwable e) {
      throw StanLibrary.unexpected(e);
    }
    if (code != 0) {
      throw new Rejection(library.takeMessage(call.error));
    }
  }

  /** 0, or where the density has no finite answer there, the first of some places that has one. */
  @Override
  public synchronized double[] initialPoint() {
    if (initialPoint == null) {
      var random = new SplittableRandom(1);
      double[] z = new double[dimensions];
      for (int tried = 1; tried <= TRIES && !isFinite(z); tried++) {
        double far = FARTHEST * tried / TRIES;
        for (int i = 0; i < dimensions; i++) {
          z[i] = tried == TRIES ? 0 : random.nextDouble(-far, far);
        }
      }
      initialPoint = z;
    }
    return initialPoint.clone();
  }

  private boolean isFinite(double[] z) {
    double[] gradient = new double[dimensions];
    try {
      if (!Double.isFinite(at(z, gradient))) {
        return false;
      }
    } catch (Rejection _) {
      return false;
    }
    for (double g : gradient) {
      if (!Double.isFinite(g)) {
        return false;
      }
    }
    return true;
  }

  /** Frees the model once no call is inside; it answers no more. */
  @Override
  public void close() {
    memory.clean();
  }

  private static void close(Arena arena) {
    while (arena.scope().isAlive()) {
      try {
        arena.close();
      } catch (IllegalStateException e) { // a call is inside
        if (arena.scope().isAlive()) {
          Thread.onSpinWait();
        }
      }
    }
  }
}
