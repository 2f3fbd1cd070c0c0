/** How long a training step takes, for every model and engine, measured side by side in one run. */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.benchmark;
