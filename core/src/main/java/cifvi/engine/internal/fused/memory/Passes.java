package cifvi.engine.internal.fused.memory;

/**
 * A sequence of small loops over the rows of a tape, each compiled on its own.
 *
 * <p>The compiler merges small methods into their caller, and gives up on vectors, keeping every
 * one of them as an object, where the result is too large. It cannot merge what is called through
 * an interface with many implementations.
 */
public final class Passes {
  /** One loop over the rows. */
  public interface Pass {
    void run(Tape tape);
  }

  private final Pass[] passes;

  public Passes(Pass... passes) {
    this.passes = passes;
  }

  public void run(Tape tape) {
    for (Pass pass : passes) {
      pass.run(tape);
    }
  }
}
