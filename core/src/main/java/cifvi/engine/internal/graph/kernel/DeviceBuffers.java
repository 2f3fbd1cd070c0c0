package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.Scope;
import org.bytedeco.pytorch.Tensor;

/**
 * Lets layers change their buffers at the end of a step, and undoes that where the step was not
 * applied, which only the device knows: one launch before and one behind, by {@code buffers.cu}.
 */
public final class DeviceBuffers implements AutoCloseable {
  private static final int THREADS = 128;

  private final Launcher launcher;
  private final Parameters parameters;
  private final int count;
  private final Tensor table;
  private final Tensor saved;

  public DeviceBuffers(Launcher launcher, Parameters parameters) {
    this.launcher = launcher;
    this.parameters = parameters;
    var buffers = parameters.buffers().values();
    count = buffers.size();
    long[] words = new long[Math.max(1, 3 * count)];
    int next = 0;
    long from = 0;
    for (Tensor buffer : buffers) {
      words[next++] = buffer.data_ptr().address();
      words[next++] = buffer.nbytes();
      words[next++] = from;
      from += buffer.nbytes();
    }
    Backend backend = parameters.backend();
    table = Scope.keep(backend.longs(words, words.length));
    int kept = Math.toIntExact(from / Long.BYTES + 1);
    saved = Scope.keep(backend.longs(new long[kept], kept));
  }

  /**
   * Ends a step.
   *
   * @param applied whether it was applied, a Boolean on the device
   */
  public void stepDone(Tensor applied) {
    boolean changes = count > 0 && parameters.stepChangesBuffers();
    if (changes) {
      launcher.launch("save_buffers", count, THREADS, 0, table, saved);
    }
    parameters.stepDone();
    if (changes) {
      launcher.launch("undo_buffers", count, THREADS, 0, table, saved, applied);
    }
  }

  @Override
  public void close() {
    Scope.release(table);
    Scope.release(saved);
  }
}
