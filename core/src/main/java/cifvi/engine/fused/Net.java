package cifvi.engine.fused;

/** A network inside a kernel: from one variable of the tape to another. */
interface Net {
  Layout.Var out();

  void forward(Tape tape);

  /** Adds to the gradients of the input and of the parameters. */
  void backward(Tape tape);
}
