/** What the page says of fits. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.report.fit;
