/** What the page says of density runs. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.report.density;
