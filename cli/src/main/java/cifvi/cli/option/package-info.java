/** Options that several commands share, how their values are read, and exit codes. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.option;
