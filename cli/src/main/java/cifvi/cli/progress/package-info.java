/** How the terminal shows work that takes its time, and how Ctrl-C stops it. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.progress;
