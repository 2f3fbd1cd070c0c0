package cifvi.engine.internal.cuda;

/** Kernels cannot be compiled, so that nothing they are for can go on. */
public final class CompilationException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  CompilationException(String message) {
    super(message);
  }
}
