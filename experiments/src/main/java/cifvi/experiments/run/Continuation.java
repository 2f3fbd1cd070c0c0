package cifvi.experiments.run;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How to go on with a run: as it was meant, with more to do, from the start, or elsewhere.
 *
 * @param larger new values of settings that may grow, by their keys
 * @param restart whether to train again from step 0; what there was is set aside
 * @param device where to go on, with whatever engine fits there; null for where the run was begun.
 *     {@code spec.yaml} keeps the latter, to which checkpoints belong
 */
public record Continuation(Map<String, Long> larger, boolean restart, @Nullable String device) {
  /** As it was meant. */
  public static final Continuation PLAIN = new Continuation(Map.of(), false);

  /** Where the run was begun. */
  public Continuation(Map<String, Long> larger, boolean restart) {
    this(larger, restart, null);
  }

  /** The settings to go on with; refuses what the run cannot be given. */
  public <S extends RunSpec> S wanted(RunDirectory directory, Class<S> type) {
    return parse(yaml(directory, RunSpec.read(directory, type)), type);
  }

  /**
   * Brings the folder into the state to go on from. A kill at any moment leaves a run that can be
   * gone on with, to its old end or to the new one: the spec is replaced at once, and checkpoints
   * fit both.
   */
  public <S extends RunSpec> S prepare(RunDirectory directory, Class<S> type) {
    S spec = RunSpec.read(directory, type);
    String yaml = yaml(directory, spec);
    S wanted = parse(yaml, type);
    if (restart) {
      Earlier.setAside(directory, Earlier.ALL);
      directory.createFolder(RunDirectory.CHECKPOINTS);
    }
    if (!yaml.equals(directory.read(RunSpec.FILE))) {
      if (directory.isBegun()) {
        Checkpoints.of(directory, spec).requireExtensible();
      }
      directory.write(RunSpec.FILE, yaml);
    }
    return wanted;
  }

  private <S extends RunSpec> S parse(String yaml, Class<S> type) {
    return RunSpec.onDevice(RunSpec.parse(yaml, type), device, type);
  }

  private String yaml(RunDirectory directory, RunSpec spec) {
    var text = new SpecText(directory.read(RunSpec.FILE));
    JsonNode settings = RunSpec.tree(RunSpec.FILE, text.yaml());
    for (var setting : larger.entrySet()) {
      String key = setting.getKey();
      requireLarger(spec, settings, key, setting.getValue());
      text = text.with(key, setting.getValue());
    }
    return text.yaml();
  }

  private void requireLarger(RunSpec spec, JsonNode settings, String key, long value) {
    JsonNode now = settings.path(key);
    RunSpec.require(!now.isNull(), "--" + key + ": the run has none to raise: leave it out");
    RunSpec.require(
        now.isNumber(), "--" + key + ": is not for runs of kind " + spec.kind() + ": leave it out");
    if (restart || value == now.asLong()) {
      return;
    }
    RunSpec.require(
        value > now.asLong(),
        "--%s: expected at least the %s the run has, got %d".formatted(key, now.asString(), value));
    RunSpec.require(
        spec.growing().contains(key),
        "--%s: the learning rate of this run falls to zero with its last step: start a new run"
            .formatted(key));
  }
}
