/**
 * The {@code cifvi} command: one class a subcommand. Results go to stdout, everything else to
 * stderr.
 */
@org.jspecify.annotations.NullMarked
package cifvi.cli;
