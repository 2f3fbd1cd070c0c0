package cifvi;

import cifvi.distribution.MixtureBase;
import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.start.internal.Frame;
import cifvi.start.internal.FramedTarget;
import cifvi.start.internal.Mixture;
import cifvi.start.internal.Population;
import cifvi.start.internal.Score;
import cifvi.tensor.Backend;
import cifvi.tensor.Safetensors;
import cifvi.vi.Model;
import cifvi.vi.Schedule;
import cifvi.vi.StepEngine;
import cifvi.vi.StepInfo;
import cifvi.vi.StepOptions;
import cifvi.vi.StepTime;
import cifvi.vi.Trainer;
import cifvi.vi.TrainingState;
import cifvi.vi.WeightAverage;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;

/** Trains one family in one frame, or goes on with it where it was stopped: a stage of a fit. */
final class StageTraining {
  private static final double SAVE_SECONDS = 1.5;
  private static final double TEMPERED = 0.8;
  private static final String COMPONENTS = "components"; // of a mixture, steps of a flow

  private final Fit fit;
  private final Backend backend;
  private final Faults faults;
  private final List<String> notes;
  private final @Nullable FitFolder folder;
  private int next;
  private long earlier; // steps of the stages before this one
  private long taken; // steps of this one
  private long nanos; // in steps of this one
  private boolean stopped;

  StageTraining(Fit fit, Backend backend, Faults faults, List<String> notes) {
    this.fit = fit;
    this.backend = backend;
    this.faults = faults;
    this.notes = notes;
    folder = fit.folder == null ? null : new FitFolder(fit.folder, fit.settings());
  }

  /** Whether the listener has said so. */
  boolean stopped() {
    return stopped;
  }

  /**
   * The next stage.
   *
   * @param what it is called: {@code start 2, cif-nsf}
   * @param coldest β of its first step, from which it rises to 1: below 1, the steps lead from a
   *     normal to the density
   */
  Stage run(
      String what, Shape shape, Frame frame, double coldest, long seed, long steps, double rate) {
    int number = next++;
    Untrained model = untrained(shape, frame, fit.engine, seed);
    try (var _ = new PointerScope()) {
      Optional<Safetensors.Content> done = done(number);
      if (done.isPresent()) {
        return loaded(model, done.get());
      }
    }
    taken = 0;
    Optional<String> note =
        stopped ? Optional.empty() : train(what, number, model.fitted, coldest, seed, steps, rate);
    note.ifPresent(notes::add);
    return finished(number, model, note);
  }

  /** A model as it begins, which costs no steps and is not saved. */
  Stage begun(Shape shape, Frame frame, long seed) {
    Untrained model = untrained(shape, frame, fit.engine, seed);
    return Stage.of(model.fitted, model.choice, Stage.FEW_DRAWS, fit.threads);
  }

  /** The next stage: a normal at every mode, adapted by importance sampling and not by steps. */
  Stage mixture(Beginning begin, long seed) {
    int number = next++;
    Frame frame = begin.wide();
    try (var _ = new PointerScope()) {
      Optional<Safetensors.Content> done = done(number);
      if (done.isPresent()) {
        int components = Integer.parseInt(Report.text(done.get().metadata(), COMPONENTS));
        return loaded(mixture(components, frame, seed), done.get());
      }
    }
    Mixture mixture = Mixture.of(begin.modes()).in(begin.frame(), frame);
    try (Score score = score(frame, faults)) {
      mixture = stopped ? mixture : Population.adapted(mixture, score::answers, seed);
    }
    Untrained model = mixture(mixture.components(), frame, seed);
    try (var _ = new PointerScope()) {
      ((MixtureBase) model.fitted.model().posterior().base()).set(mixture.base(backend));
    }
    taken = 0;
    return finished(number, model, Optional.empty());
  }

  private Untrained mixture(int components, Frame frame, long seed) {
    Shape shape = Shape.mixture(fit.placement, frame.dimensions(), components);
    return untrained(shape, frame, "eager", seed);
  }

  private record Untrained(Fitted fitted, Engines.Choice choice) {}

  private Untrained untrained(Shape shape, Frame frame, String engine, long seed) {
    Score score = score(frame, faults);
    Model model = shape.build(score.target(backend), backend, seed);
    Engines.Choice choice = Engines.choose(engine, model, fit.objective);
    return new Untrained(new Fitted(shape, frame, model, score, choice.kind()), choice);
  }

  private Optional<Safetensors.Content> done(int number) {
    return folder == null ? Optional.empty() : folder.done(number);
  }

  private Stage finished(int number, Untrained model, Optional<String> note) {
    Stage stage = Stage.of(model.fitted, model.choice, Stage.DRAWS, fit.threads);
    earlier += taken;
    if (folder != null && !stopped) {
      save(folder, number, stage, note);
    }
    return stage;
  }

  /** Where a start begins, which is found once and saved. */
  Beginning begin(Frame frame, long seed) {
    int number = next++;
    try (var _ = new PointerScope()) {
      Optional<Safetensors.Content> done = done(number);
      if (done.isPresent()) {
        faults.restore(done.get().metadata());
        return Beginning.of(frame, done.get());
      }
    }
    var search = new Faults();
    try (Score score = score(frame, search)) {
      Beginning found = Beginning.find(score, frame, seed, fit.listener);
      faults.searched(search);
      if (folder != null) {
        SortedMap<String, String> numbers = new TreeMap<>(faults.numbers());
        numbers.putAll(found.numbers());
        try (var _ = new PointerScope()) {
          folder.saveDone(number, found.tensors(), numbers);
        }
      }
      return found;
    }
  }

  private Score score(Frame frame, Faults faults) {
    return fit.density != null
        ? new DensityBatch(fit.density, frame, faults, fit.threads)
        : new FramedTarget(Objects.requireNonNull(fit.target), frame, backend);
  }

  /** Why training ended before its last step, if it did. */
  private Optional<String> train(
      String what, int number, Fitted fitted, double coldest, long seed, long steps, double rate) {
    Model model = fitted.model();
    Schedule schedule = fit.decay ? Schedule.cosine(rate, steps) : Schedule.constant(rate);
    var clip = Double.isFinite(fit.clip) ? OptionalDouble.of(fit.clip) : OptionalDouble.empty();
    var options = new StepOptions(clip, seed, fit.threads);
    try (var engine = Engines.start(fitted.engine(), model, fit.objective, options);
        var average = fit.average ? new WeightAverage(model.parameters()) : null) {
      var trainer = new Trainer(engine, schedule);
      var state = new TrainingState(model.parameters(), engine.optimiser(), trainer, average);
      restore(number, state);
      Score score = Objects.requireNonNull(fitted.score());
      long before = trainer.steps();
      double called = score.seconds();
      nanos = 0;
      Optional<String> note = Optional.empty();
      try {
        steps(
            new Told(what, number, steps, earlier, schedule),
            engine,
            state,
            step -> score.temper(beta(coldest, step, steps)));
      } catch (ArithmeticException e) {
        note = Optional.of(what + ": " + e.getMessage());
      }
      fit.listener.trained(
          new StepTime(
              trainer.steps() - before, nanos / 1e9, score.seconds() - called, engine.waited()));
      score.temper(1);
      taken = trainer.steps();
      save(number, state);
      if (average != null) {
        average.apply();
      }
      return note;
    }
  }

  /** What the listener is told beside the numbers of a step. */
  private record Told(String what, int stage, long steps, long earlier, Schedule schedule) {
    Fit.Progress of(StepInfo info) {
      return new Fit.Progress(
          what,
          stage,
          info.step() + 1,
          steps,
          earlier + info.step() + 1,
          info.objective(),
          info.gradientNorm(),
          schedule.rate(info.step()));
    }
  }

  /** β of a step: in equal ratios from the coldest to 1 over the first part of them. */
  private static double beta(double coldest, long step, long steps) {
    return Math.pow(coldest, 1 - Math.min(1, step / (TEMPERED * steps)));
  }

  private void steps(Told told, StepEngine engine, TrainingState state, LongConsumer before) {
    Trainer trainer = state.trainer();
    long lastSave = System.nanoTime();
    while (trainer.steps() < told.steps() && !stopped) {
      long step = trainer.steps();
      long start = System.nanoTime();
      try (var _ = new PointerScope()) {
        before.accept(step);
        trainer.submit(
            Observation.none(fit.samples), info -> stopped |= !fit.listener.step(told.of(info)));
        if (state.average() != null) {
          state.average().add(step);
        }
        nanos += System.nanoTime() - start;
        if (System.nanoTime() - lastSave > SAVE_SECONDS * 1e9) {
          engine.finish();
          save(told.stage(), state);
          lastSave = System.nanoTime();
        }
      }
    }
    trainer.finish();
  }

  private void restore(int number, TrainingState state) {
    if (folder != null) {
      try (var _ = new PointerScope()) {
        folder
            .begun(number)
            .ifPresent(
                saved -> {
                  state.restore(saved.tensors(), saved.metadata());
                  faults.restore(saved.metadata());
                });
      }
    }
  }

  private void save(int number, TrainingState state) {
    if (folder != null) {
      fit.listener.saving();
      try (var _ = new PointerScope()) {
        folder.saveBegun(number, state, faults.numbers());
      }
    }
  }

  private void save(FitFolder folder, int number, Stage stage, Optional<String> note) {
    SortedMap<String, String> numbers = new TreeMap<>(faults.numbers());
    numbers.put("steps", Long.toString(taken));
    numbers.put(COMPONENTS, Integer.toString(stage.fitted().shape().steps()));
    numbers.putAll(stage.numbers());
    note.ifPresent(text -> numbers.put("note", text));
    try (var _ = new PointerScope()) {
      folder.saveDone(number, stage.fitted().model().parameters().state(), numbers);
    }
  }

  private Stage loaded(Untrained model, Safetensors.Content done) {
    SortedMap<String, String> numbers = done.metadata();
    earlier += Long.parseLong(Report.text(numbers, "steps"));
    model.fitted.model().parameters().load(done.tensors());
    faults.restore(numbers);
    String note = numbers.get("note");
    if (note != null) {
      notes.add(note);
    }
    return Stage.of(model.fitted, model.choice, numbers);
  }
}
