package cifvi.vi;

/**
 * What one training step reports.
 *
 * @param step number of the step, from 0
 * @param objective mean of the objective over the batch
 * @param gradientNorm global L2 norm before clipping
 * @param applied false where something was not finite and the step was skipped
 */
public record StepInfo(long step, double objective, double gradientNorm, boolean applied) {}
