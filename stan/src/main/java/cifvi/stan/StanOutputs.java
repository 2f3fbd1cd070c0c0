package cifvi.stan;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import cifvi.parameter.Outputs;
import cifvi.parameter.ParameterSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The constrained parameters of a draw, then its transformed parameters, then its generated
 * quantities, in Stan's order. Every draw has a random generator of its own, so that what is
 * generated depends on the draw and its seed alone.
 */
final class StanOutputs implements Outputs {
  private final StanLibrary library;
  private final MemorySegment model;
  private final @Nullable ReentrantLock lock;
  private final int dimensions;
  private final boolean generated;
  private final List<String> names;
  private final ParameterSpace space;

  private final List<String> parameters;

  /** How many numbers there are without what is generated. */
  private final int transformed;

  StanOutputs(
      StanLibrary library,
      MemorySegment model,
      @Nullable ReentrantLock lock,
      int dimensions,
      boolean generated) {
    this.library = library;
    this.model = model;
    this.lock = lock;
    this.dimensions = dimensions;
    this.generated = generated;
    parameters = names(false, false);
    transformed = names(true, false).size();
    names = names(true, generated);
    space = StanNames.space(names);
  }

  private List<String> names(boolean withTransformed, boolean withGenerated) {
    try {
      return StanNames.split(
          StanLibrary.text(
              (MemorySegment)
                  library.parameterNames.invokeExact(model, withTransformed, withGenerated)));
    } catch (Throwable e) {
      throw StanLibrary.unexpected(e);
    }
  }

  @Override
  public ParameterSpace space() {
    return space;
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public @Nullable String write(double[] z, double[] x, long seed) {
    if (lock == null) {
      return constrain(z, x, seed);
    }
    lock.lock();
    try {
      return constrain(z, x, seed);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<String> parameterNames() {
    return parameters;
  }

  @Override
  public void unconstrain(double[] x, double[] z) {
    StanLibrary.ONE_AT_A_TIME.lock();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = StanLibrary.noError(arena);
      MemorySegment from = arena.allocateFrom(JAVA_DOUBLE, x);
      MemorySegment to = arena.allocate(JAVA_DOUBLE, dimensions);
      int code = (int) library.unconstrain.invokeExact(model, from, to, error);
      if (code != 0) {
        throw new IllegalArgumentException(library.takeMessage(error));
      }
      MemorySegment.copy(to, JAVA_DOUBLE, 0, z, 0, dimensions);
    } catch (Throwable e) {
      throw StanLibrary.unexpected(e);
    } finally {
      StanLibrary.ONE_AT_A_TIME.unlock();
    }
  }

  /** Where what comes later fails, what comes before it is still told. */
  private @Nullable String constrain(double[] z, double[] x, long seed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = StanLibrary.noError(arena);
      MemorySegment at = arena.allocateFrom(JAVA_DOUBLE, Arrays.copyOf(z, dimensions));
      MemorySegment values = arena.allocate(JAVA_DOUBLE, Math.max(1, names.size()));
      String failed = call(true, generated, at, values, seed, error);
      int known = names.size();
      if (failed != null) {
        known = transformed;
        if (!generated || call(true, false, at, values, seed, error) != null) {
          known = call(false, false, at, values, seed, error) == null ? parameters.size() : 0;
        }
      }
      MemorySegment.copy(values, JAVA_DOUBLE, 0, x, 0, known);
      Arrays.fill(x, known, x.length, Double.NaN);
      return failed;
    }
  }

  private @Nullable String call(
      boolean withTransformed,
      boolean withGenerated,
      MemorySegment z,
      MemorySegment values,
      long seed,
      MemorySegment error) {
    MemorySegment rng = MemorySegment.NULL;
    try {
      if (withGenerated) {
        rng = (MemorySegment) library.newRng.invokeExact((int) (seed >>> 32), error);
        if (rng.equals(MemorySegment.NULL)) {
          return library.takeMessage(error);
        }
      }
      int code =
          (int)
              library.constrain.invokeExact(
                  model, withTransformed, withGenerated, z, values, rng, error);
      return code == 0 ? null : library.takeMessage(error);
    } catch (Throwable e) {
      throw StanLibrary.unexpected(e);
    } finally {
      free(rng);
    }
  }

  private void free(MemorySegment rng) {
    if (!rng.equals(MemorySegment.NULL)) {
      try {
        library.deleteRng.invokeExact(rng);
      } catch (Throwable e) {
        throw StanLibrary.unexpected(e);
      }
    }
  }
}
