package cifvi.cli.plot;

import cifvi.experiments.figures.Curve;
import cifvi.experiments.figures.ElboAxis;
import cifvi.experiments.figures.Ticks;
import java.awt.Color;
import java.awt.geom.Path2D;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The ELBO against the step: the range within every bucket as a band, a smoothed line over it. */
record CurveFigure(Curve curve, ElboAxis axis) {
  private static final Color LINE = new Color(0x2f5d9b);
  private static final double WIDTH = 560;
  private static final double HEIGHT = 300;
  private static final Box PLOT = new Box(64, 28, WIDTH - 64 - 20, HEIGHT - 28 - 46);

  static CurveFigure of(Curve curve) {
    return new CurveFigure(curve, ElboAxis.of(List.of(curve)));
  }

  void write(Path png) {
    var canvas = new Canvas(WIDTH, HEIGHT);
    paintAxes(canvas);
    canvas.clip(PLOT);
    canvas.fill(band(), Colours.withOpacity(LINE, 0.18));
    canvas.stroke(line(), LINE, 1.6);
    canvas.unclip();
    canvas.stroke(PLOT.shape(), Canvas.RULE, 1);
    canvas.write(png);
  }

  private void paintAxes(Canvas canvas) {
    for (double tick : axis.ticks()) {
      double y = PLOT.up(axis.position(tick));
      canvas.line(PLOT.x(), y, PLOT.right(), y, tick == 0 ? Canvas.SOFT : Canvas.RULE, 0.7);
      canvas.text(Numerals.plain(tick), PLOT.x() - 7, y + 4, 11, Canvas.SOFT, Canvas.Anchor.RIGHT);
    }
    for (double tick : Ticks.between(0, steps(), 7)) {
      double x = x(tick);
      canvas.line(x, PLOT.bottom(), x, PLOT.bottom() + 4, Canvas.RULE, 1);
      canvas.text(
          Numerals.fixed(tick, 0), x, PLOT.bottom() + 17, 11, Canvas.SOFT, Canvas.Anchor.CENTRE);
    }
    canvas.text("step", PLOT.centreX(), HEIGHT - 8, 12, Canvas.INK, Canvas.Anchor.CENTRE);
    String label = axis.stretched() ? "ELBO (logarithmic far below 0)" : "ELBO";
    canvas.text(label, PLOT.x(), 18, 13, Canvas.INK, Canvas.Anchor.LEFT);
  }

  private double x(double step) {
    return PLOT.across(step / steps());
  }

  private double steps() {
    return (double) Math.max(1, curve.stepsDone());
  }

  private double y(double elbo) {
    return PLOT.up(Math.clamp(axis.position(elbo), -1, 2));
  }

  private Path2D band() {
    var band = new Path2D.Double();
    append(band, curve.buckets(), Curve.Bucket::max);
    append(band, curve.buckets().reversed(), Curve.Bucket::min);
    return band;
  }

  private void append(
      Path2D path, List<Curve.Bucket> buckets, ToDoubleFunction<Curve.Bucket> value) {
    for (Curve.Bucket bucket : buckets) {
      add(path, bucket.step(), value.applyAsDouble(bucket));
    }
  }

  private Path2D line() {
    var line = new Path2D.Double();
    double[] smooth = curve.smoothed();
    for (int i = 0; i < smooth.length; i++) {
      add(line, curve.buckets().get(i).step(), smooth[i]);
    }
    return line;
  }

  private void add(Path2D path, double step, double elbo) {
    if (path.getCurrentPoint() == null) {
      path.moveTo(x(step), y(elbo));
    } else {
      path.lineTo(x(step), y(elbo));
    }
  }
}
