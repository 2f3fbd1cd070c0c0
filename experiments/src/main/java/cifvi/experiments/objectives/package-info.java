/** Whether a better bound, or a less noisy gradient, trains a better model in the same time. */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.objectives;
