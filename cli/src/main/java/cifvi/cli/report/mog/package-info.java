/** What the page says of mixture runs. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.report.mog;
