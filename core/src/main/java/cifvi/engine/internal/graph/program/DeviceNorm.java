package cifvi.engine.internal.graph.program;

import cifvi.bijection.BatchNorm;

/**
 * A batch norm of a program.
 *
 * @param z its output, as the next stage knows it
 * @param shared place in the prepared numbers of what all rows share, see {@code batchnorm.cuh}
 * @param shift offset of the parameter
 * @param logScale offset of the parameter
 */
public record DeviceNorm(
    BatchNorm norm, Variable w, Variable z, int shared, int shift, int logScale) {
  /** Numbers that all rows share, for every feature: m, v, dshift, dlog_scale. */
  static final int SHARED = 4;
}
