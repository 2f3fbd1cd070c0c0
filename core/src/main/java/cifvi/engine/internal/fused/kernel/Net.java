package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;

/** A network inside a kernel: from one variable of the tape to another. */
public interface Net {
  Layout.Var out();

  void forward(Tape tape);

  /** Adds to the gradients of the input and of the parameters. */
  void backward(Tape tape);
}
