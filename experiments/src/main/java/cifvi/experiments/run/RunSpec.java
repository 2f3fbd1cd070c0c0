package cifvi.experiments.run;

import cifvi.engine.Engines;
import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Torch;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The settings of a run, a record with the names of the command line's options; kept in {@code
 * spec.yaml}.
 */
public interface RunSpec {
  String FILE = "spec.yaml";

  /** More than any machine has cores, and as many as can be started on one. */
  int MOST_THREADS = 1024;

  String kind();

  long seed();

  int threads();

  Precision precision();

  /** {@code eager} or {@code fused}; {@code auto} until the run begins. */
  String engine();

  String device();

  /** Whether float32 products on a GPU may be less exact. */
  boolean tf32();

  /** The keys whose values may be raised later without changing what was done so far. */
  Set<String> growing();

  default String yaml() {
    return Texts.YAML.writeValueAsString(this);
  }

  static <S extends RunSpec> S parse(String yaml, Class<S> type) {
    return Texts.value(Texts.YAML, FILE, tree(FILE, yaml), type);
  }

  /** The settings of a run. */
  static <S extends RunSpec> S read(RunDirectory directory, Class<S> type) {
    Path file = directory.file(FILE);
    return Texts.value(Texts.YAML, file, tree(file, directory.read(FILE)), type);
  }

  /** The settings in a file; those of older runs lack what came later. */
  static ObjectNode tree(Object file, String yaml) {
    ObjectNode settings = Texts.tree(Texts.YAML, file, yaml);
    settings.putIfAbsent("tf32", BooleanNode.FALSE);
    switch (settings.path("kind").asString("")) {
      case "images" -> {
        settings.putIfAbsent("validation_noise", StringNode.valueOf("fresh"));
        settings.putIfAbsent("batch_norm_scale", StringNode.valueOf("free"));
        none(settings, "validation_samples", "objective", "warm_up");
        none(settings, "lr_schedule", "lr_warm_up", "average");
      }
      case "mog" -> {
        settings.putIfAbsent("r", StringNode.valueOf("normal"));
        settings.putIfAbsent("objective", StringNode.valueOf("elbo"));
        none(settings, "sizes", "warm_up");
      }
      case "fit" -> {
        var gradient = settings.remove("gradient"); // what objectives were called
        boolean path = gradient != null && gradient.asString("").equals("path");
        settings.putIfAbsent("objective", StringNode.valueOf(path ? "path" : "elbo"));
        none(settings, "stan", "generated", "bridgestan", "warm_up");
      }
      case "density" -> settings.putIfAbsent("mixture", IntNode.valueOf(1));
      default -> {}
    }
    return settings;
  }

  private static void none(ObjectNode settings, String... keys) {
    List.of(keys).forEach(key -> settings.putIfAbsent(key, NullNode.getInstance()));
  }

  /** Where the run computes; says so where there is no such device. */
  default Backend backend() {
    Torch.load();
    Torch.threads(threads());
    Torch.tf32(tf32());
    try {
      return Backend.of(device(), precision());
    } catch (IllegalArgumentException e) {
      throw new UserException("--" + e.getMessage(), e);
    }
  }

  /** The engine for the model of this spec, and why; refuses one that cannot run it. */
  default Engines.Choice choose(Model model, Objective objective) {
    try {
      return Engines.choose(engine(), model, objective);
    } catch (IllegalArgumentException e) {
      throw new UserException("--" + e.getMessage(), e);
    }
  }

  /** The same spec with the engine that was chosen. */
  static <S extends RunSpec> S withEngine(S spec, Engines.Choice choice, Class<S> type) {
    return with(spec, "engine", choice.kind().toString(), type);
  }

  /** The same spec with another value of one setting. */
  static <S extends RunSpec> S with(S spec, String key, @Nullable Object value, Class<S> type) {
    var tree = (ObjectNode) Texts.YAML.valueToTree(spec);
    tree.set(key, Texts.YAML.valueToTree(value));
    return Texts.YAML.treeToValue(tree, type);
  }

  /** The same spec on another device, with whatever engine fits there; null for its own. */
  static <S extends RunSpec> S onDevice(S spec, @Nullable String device, Class<S> type) {
    if (device == null || device.equals(spec.device())) {
      return spec;
    }
    var tree = (ObjectNode) Texts.YAML.valueToTree(spec);
    tree.put("device", device).put("engine", "auto").put("tf32", false);
    return Texts.YAML.treeToValue(tree, type);
  }

  /** Refuses what no run can be made with. */
  static void requireCommon(int threads, String engine, String device, boolean tf32) {
    requireCount("--threads", threads, MOST_THREADS);
    require(
        List.of("auto", "eager", "fused", "graph").contains(engine),
        "--engine: expected auto, eager, fused or graph, got " + engine);
    require(
        !tf32 || device.startsWith("cuda"), "--tf32: is for --device cuda, got --device " + device);
  }

  /** Refuses fewer than one, and more than memory or patience suffice for. */
  static void requireCount(String name, long value, long most) {
    require(value >= 1, name + ": expected at least 1, got " + value);
    require(
        value <= most,
        String.format(Locale.ROOT, "%s: expected at most %,d, got %,d", name, most, value));
  }

  /** Refuses a warm-up of no steps. */
  static void requireWarmUp(@Nullable Long steps) {
    require(steps == null || steps >= 1, "--warm-up: expected at least 1, got " + steps);
  }

  static void requirePositive(String name, double value) {
    require(
        value > 0 && value < Double.POSITIVE_INFINITY,
        name + ": expected a positive number, got " + value);
  }

  static void require(boolean condition, String message) {
    if (!condition) {
      throw new UserException(message);
    }
  }
}
