/** Lines, letters and colours on a grid of pixels, and PNG files of it. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.plot.canvas;
