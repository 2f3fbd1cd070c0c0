/**
 * One self-contained web page about one or more runs: what came out in plain words, numbers,
 * figures, settings, and how to run it again. {@link cifvi.cli.report.Report} is the entry.
 */
@org.jspecify.annotations.NullMarked
package cifvi.cli.report;
