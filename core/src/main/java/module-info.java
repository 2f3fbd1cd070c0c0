/**
 * Variational inference with continuously-indexed normalizing flows: bijections, distributions,
 * posteriors, objectives and estimators, and the engines that train them.
 */
@SuppressWarnings("module") // that of the experiments is compiled after this one
module cifvi.core {
  requires transitive org.bytedeco.pytorch;
  requires org.bytedeco.javacpp;
  requires org.bytedeco.openblas;
  requires org.slf4j;
  requires tools.jackson.core;
  requires transitive org.jspecify;

  /* Without it everything runs, but for the fused engine. */
  requires static jdk.incubator.vector;

  exports cifvi;
  exports cifvi.bijection;
  exports cifvi.density;
  exports cifvi.diagnostics;
  exports cifvi.distribution;
  exports cifvi.engine;
  exports cifvi.engine.eager;
  exports cifvi.nn;
  exports cifvi.parameter;
  exports cifvi.posterior;
  exports cifvi.target;
  exports cifvi.tensor;
  exports cifvi.vi;
  exports cifvi.engine.internal.cuda to
      cifvi.experiments;
  exports cifvi.engine.internal.graph.kernel to
      cifvi.experiments;
  exports cifvi.tensor.internal to
      cifvi.experiments;
}
