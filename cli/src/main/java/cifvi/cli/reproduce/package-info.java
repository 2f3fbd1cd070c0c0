/** {@code cifvi reproduce}: the paper's figures and tables, ours beside the paper's numbers. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.reproduce;
