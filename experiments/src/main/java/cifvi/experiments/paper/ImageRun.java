package cifvi.experiments.paper;

import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.models.Placement;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * One image run, finished or not, as its folder tells.
 *
 * @param result {@code result.json}, missing of an unfinished run
 * @param spec {@code spec.yaml}
 */
public record ImageRun(
    Path path, Method method, Column column, long seed, JsonNode result, JsonNode spec) {
  private static final int DEPTH = 2;
  private static final long PAPER_EPOCHS = 1000;
  private static final long PAPER_SAMPLES = 1000;
  private static final long ALL_TEST_IMAGES = 10_000;

  /** All image runs in a folder and in its folders; none where it does not exist. */
  public static List<ImageRun> scan(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var paths = Files.walk(folder, DEPTH)) {
      return paths
          .filter(Files::isDirectory)
          .sorted()
          .map(ImageRun::read)
          .flatMap(Optional::stream)
          .toList();
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be read: " + RunDirectory.reason(e), e);
    }
  }

  private static Optional<ImageRun> read(Path path) {
    var folder = new CellFolder(path);
    JsonNode result = folder.result().orElse(MissingNode.getInstance());
    JsonNode spec = folder.spec().orElse(MissingNode.getInstance());
    JsonNode known = result.isMissingNode() ? spec : result;
    if (!known.path("kind").asString("").equals("images")) {
      return Optional.empty();
    }
    var method =
        new Method(
            choice(path, known, "model", ImageModel.values()),
            choice(path, known, "placement", Placement.values()),
            nets(known));
    var column =
        new Column(
            known.path("data").asString(""), choice(path, known, "decoder", Decoder.values()));
    return Optional.of(
        new ImageRun(path, method, column, known.path("seed").asLong(), result, spec));
  }

  private static ImageModel.Nets nets(JsonNode known) {
    return known.path("nets").asString("").equalsIgnoreCase("appendix")
        ? ImageModel.Nets.APPENDIX
        : ImageModel.Nets.RELEASED;
  }

  private static <T> T choice(Path path, JsonNode known, String key, T[] values) {
    String text = known.path(key).asString("");
    return Arrays.stream(values)
        .filter(value -> value.toString().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new UserException(
                    path
                        + ": "
                        + key
                        + ": expected one of "
                        + Arrays.toString(values)
                        + ", got "
                        + text));
  }

  public boolean finished() {
    return !result.isMissingNode();
  }

  /** A number of {@code result.json}. */
  public OptionalDouble number(String key) {
    JsonNode value = result.path(key);
    return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
  }

  /** What keeps the run from being compared with the paper's as it stands. */
  public List<String> caveats() {
    var caveats = new ArrayList<String>();
    long epochs = result.path("epochs").asLong(0);
    long allowed = spec.path("epochs").asLong(epochs);
    if (epochs >= allowed && epochs < PAPER_EPOCHS) {
      caveats.add(epochs == 1 ? "1 epoch" : epochs + " epochs");
    }
    if (spec.path("limit_train").isNumber()) {
      caveats.add(spec.path("limit_train").asLong() + " training images");
    }
    long samples = result.path("importance_samples").asLong(PAPER_SAMPLES);
    if (samples != PAPER_SAMPLES) {
      caveats.add("S = " + samples);
    }
    long images = result.path("test_images").asLong(ALL_TEST_IMAGES);
    if (images != ALL_TEST_IMAGES) {
      caveats.add(images + " test images");
    }
    return caveats;
  }

  public Likelihoods likelihoods() {
    return new Likelihoods(path.resolve("likelihoods"), result.path("test_images").asLong(-1));
  }
}
