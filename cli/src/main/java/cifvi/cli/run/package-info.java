/** The commands about one run: start it, go on with it, evaluate it, report on it. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.run;
