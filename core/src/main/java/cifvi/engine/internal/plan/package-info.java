/**
 * The model lowered once, for every back end: a short list of parts that each of them has a kernel
 * for or leaves to libtorch. Nobody behind this package looks at a model again.
 */
@org.jspecify.annotations.NullMarked
package cifvi.engine.internal.plan;
