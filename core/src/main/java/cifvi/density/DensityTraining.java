package cifvi.density;

import cifvi.engine.Engines;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Torch;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Progress;
import cifvi.vi.Schedule;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Trains a density on most of the rows and keeps the parameters whose bound on the others is best.
 */
final class DensityTraining {
  private final DensityFit fit;
  private final int[] order;
  private final DensityShape shape;
  private boolean stopped;

  DensityTraining(DensityFit fit) {
    this.fit = fit;
    order = fit.order();
    shape = fit.shape();
  }

  FittedDensity run() {
    Torch.load();
    double[][] rows = FittedDensity.arranged(fit.rows, order);
    var units = Standardisation.of(rows);
    int[] mixed = mixed(rows.length);
    int held = Math.clamp(Math.round(fit.validation * rows.length), 1, rows.length - 1);
    double[][] validation = rows(rows, Arrays.copyOf(mixed, held));
    double[][] train = rows(rows, Arrays.copyOfRange(mixed, held, rows.length));
    Model model = shape.build(Backend.of(fit.device, fit.precision), fit.seed);
    var choice = Engines.choose(fit.engine, model, new Objective.Elbo());
    var options = new StepOptions(OptionalDouble.of(fit.clip), fit.seed, fit.threads);
    try (StepEngine engine = Engines.start(choice.kind(), model, new Objective.Elbo(), options);
        LogWeights weights = Engines.logWeights(choice.kind(), model, fit.threads);
        var batches =
            new Batches(
                model.parameters().backend(),
                units.apply(train),
                units.columns(),
                fit.batch,
                fit.seed)) {
      var evaluation = new DensityEvaluation(shape, units, model, weights);
      double best = train(engine, batches, evaluation, validation);
      return new FittedDensity(shape, units, order, model, choice.kind(), fit.threads, best);
    }
  }

  /** The best bound of the validation rows; the model has the parameters that had it. */
  private double train(
      StepEngine engine, Batches batches, DensityEvaluation evaluation, double[][] validation) {
    Schedule schedule =
        fit.steps > 0
            ? Schedule.cosine(fit.learningRate, fit.steps)
            : Schedule.constant(fit.learningRate);
    var trainer = new Trainer(engine, schedule);
    var flat = evaluation.model().parameters().flat();
    double best = Double.NaN;
    int bad = 0;
    try (var _ = new PointerScope()) {
      Tensor kept = flat.values().detach().clone();
      while (!stopped && (fit.steps > 0 ? trainer.steps() < fit.steps : bad <= fit.patience)) {
        double sofar = best;
        long until = (trainer.steps() / batches.perRound() + 1) * batches.perRound();
        long last = fit.steps > 0 ? Math.min(until, fit.steps) : until;
        while (trainer.steps() < last && !stopped) {
          try (var _ = new PointerScope()) {
            trainer.submit(
                batches.at(trainer.steps()),
                info ->
                    stopped |=
                        !fit.listener.step(
                            new DensityFit.Progress(info.step() + 1, info.objective(), sofar)));
          }
        }
        trainer.finish();
        double value =
            evaluation.elbo(validation, fit.seed, Purpose.VALIDATE, 0, Progress.SILENT).mean();
        bad++;
        boolean better = !(value <= best);
        if (better && Double.isFinite(value)) {
          best = value;
          bad = 0;
          try (var _ = new NoGradGuard()) {
            kept.copy_(flat.values());
          }
        }
      }
      flat.update(() -> flat.values().copy_(kept));
    }
    return best;
  }

  /** The numbers of the rows in an order that follows from the seed. */
  private int[] mixed(int count) {
    double[] keys =
        new CounterRng(Backend.cpu(fit.precision), fit.seed, Purpose.SPLIT).uniforms(count, 1);
    return IntStream.range(0, count)
        .boxed()
        .sorted((a, b) -> Double.compare(keys[a], keys[b]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static double[][] rows(double[][] all, int[] which) {
    return Arrays.stream(which).mapToObj(i -> all[i]).toArray(double[][]::new);
  }
}
