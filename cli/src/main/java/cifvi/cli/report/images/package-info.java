/** What the page says of image runs. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.report.images;
