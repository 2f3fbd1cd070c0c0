/**
 * Sweeps and large evaluations on Apache Spark: the cluster schedules, and every task is the
 * process that the local runner would start. Classes named {@code …Task} travel to the workers.
 */
@org.jspecify.annotations.NullMarked
package cifvi.spark;
