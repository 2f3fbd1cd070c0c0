/** The pages about many runs: a sweep, and Table 1. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.report.sweep;
