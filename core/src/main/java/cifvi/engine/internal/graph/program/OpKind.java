package cifvi.engine.internal.graph.program;

import static cifvi.engine.internal.graph.program.OpKind.Gradients.ALL_BUT_LAST;
import static cifvi.engine.internal.graph.program.OpKind.Gradients.EVERY_INPUT;
import static cifvi.engine.internal.graph.program.OpKind.Looks.AT_IMAGES;
import static cifvi.engine.internal.graph.program.OpKind.Looks.AT_ROWS;
import static cifvi.engine.internal.graph.program.OpKind.Looks.AT_VARIABLES;
import static cifvi.engine.internal.graph.program.OpKind.Saves.GRADIENT_OF_Y;
import static cifvi.engine.internal.graph.program.OpKind.Saves.NOTHING;
import static cifvi.engine.internal.graph.program.OpKind.Saves.SCRATCH;
import static cifvi.engine.internal.graph.program.OpKind.Terms.NONE;
import static cifvi.engine.internal.graph.program.OpKind.Terms.OF_A_ROW;
import static cifvi.engine.internal.graph.program.OpKind.Terms.OF_OUTPUTS;
import static cifvi.engine.internal.graph.program.OpKind.Terms.OF_PARAMETER;
import static cifvi.engine.internal.graph.program.OpKind.Terms.OF_SECOND_INPUT;
import static cifvi.engine.internal.graph.program.OpKind.Work.LAYER;
import static cifvi.engine.internal.graph.program.OpKind.Work.LITTLE;
import static cifvi.engine.internal.graph.program.OpKind.Work.PRODUCT;

/**
 * The operations of a program, with all that is true of each; what it computes stands beside its
 * kernel.
 */
public enum OpKind {
  LINEAR(EVERY_INPUT, NONE, GRADIENT_OF_Y, AT_VARIABLES, PRODUCT),
  DRAW(EVERY_INPUT, OF_OUTPUTS, NOTHING, AT_VARIABLES, LITTLE),
  AUXILIARY(ALL_BUT_LAST, OF_SECOND_INPUT, NOTHING, AT_VARIABLES, LITTLE), // log q has no gradient
  ROW(EVERY_INPUT, NONE, GRADIENT_OF_Y, AT_VARIABLES, LITTLE),
  AFFINE(EVERY_INPUT, OF_OUTPUTS, NOTHING, AT_VARIABLES, LAYER),
  MASKED_AFFINE(EVERY_INPUT, OF_OUTPUTS, NOTHING, AT_VARIABLES, LAYER),
  SPLINE(EVERY_INPUT, OF_OUTPUTS, NOTHING, AT_VARIABLES, LAYER),
  PERMUTE(EVERY_INPUT, NONE, NOTHING, AT_VARIABLES, LITTLE),
  LOG_DET(EVERY_INPUT, OF_PARAMETER, NOTHING, AT_VARIABLES, LITTLE),
  MIXTURE(EVERY_INPUT, OF_A_ROW, SCRATCH, AT_VARIABLES, LAYER),
  TERM(EVERY_INPUT, OF_A_ROW, NOTHING, AT_VARIABLES, LITTLE),
  IMPORT(EVERY_INPUT, NONE, NOTHING, AT_VARIABLES, LITTLE),
  EXPORT(EVERY_INPUT, NONE, NOTHING, AT_VARIABLES, LITTLE),
  OBSERVE(EVERY_INPUT, NONE, NOTHING, AT_IMAGES, LITTLE),
  UPSAMPLE(EVERY_INPUT, NONE, NOTHING, AT_VARIABLES, LITTLE),
  CONVOLUTION(ALL_BUT_LAST, NONE, NOTHING, AT_VARIABLES, LITTLE), // nor has the observed image
  BATCH_NORM(EVERY_INPUT, OF_OUTPUTS, NOTHING, AT_VARIABLES, LITTLE),
  TRANSPOSED(EVERY_INPUT, NONE, NOTHING, AT_VARIABLES, LITTLE),
  BERNOULLI(EVERY_INPUT, OF_A_ROW, NOTHING, AT_IMAGES, LITTLE),
  SINH_ARCSINH(EVERY_INPUT, OF_OUTPUTS, NOTHING, AT_VARIABLES, LAYER),
  DATA(EVERY_INPUT, NONE, NOTHING, AT_ROWS, LITTLE);

  /** Which inputs get a gradient. */
  enum Gradients {
    EVERY_INPUT,
    ALL_BUT_LAST
  }

  /** In how many parts, one a column, it adds to the log-weight of a row. */
  enum Terms {
    NONE,
    OF_A_ROW,
    OF_OUTPUTS,
    OF_SECOND_INPUT,
    OF_PARAMETER
  }

  /** What the backward pass needs room for besides the gradients of inputs. */
  enum Saves {
    NOTHING,
    /** The gradient of y on the tape, for the weights. */
    GRADIENT_OF_Y,
    /** A gradient of y that nobody else has given one. */
    SCRATCH
  }

  /** Whether it sees what is observed: images, or rows of numbers. */
  public enum Looks {
    AT_VARIABLES,
    AT_IMAGES,
    AT_ROWS
  }

  /** How a batch is best cut for it. */
  public enum Work {
    LITTLE,
    /** The heart of a layer: rows of a block share what they read. */
    LAYER,
    /** A matrix product, for which one row may need many threads. */
    PRODUCT
  }

  final Gradients gradients;
  final Terms terms;
  final Saves saves;
  public final Looks looks;
  public final Work work;

  OpKind(Gradients gradients, Terms terms, Saves saves, Looks looks, Work work) {
    this.gradients = gradients;
    this.terms = terms;
    this.saves = saves;
    this.looks = looks;
    this.work = work;
  }

  /** What the kernel calls it, which is compiled with the same list. */
  @SuppressWarnings("EnumOrdinal")
  public int code() {
    return ordinal();
  }
}
