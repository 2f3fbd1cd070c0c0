/**
 * Figures as PNG files, drawn without a display and without any installed font. A figure is a
 * {@link cifvi.cli.plot.FigureGrid} of titled panels; {@link cifvi.cli.plot.RunFigures} knows the
 * figures of one mixture run, {@link cifvi.cli.plot.ImagesFigures} those of an image run.
 */
@org.jspecify.annotations.NullMarked
package cifvi.cli.plot;
