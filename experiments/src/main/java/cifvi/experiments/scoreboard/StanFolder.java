package cifvi.experiments.scoreboard;

import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.target.KnownAnswers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A folder of Stan models as shared libraries: {@code libNAME_model.so} or {@code NAME_model.so} in
 * it or in {@code lib/}, and where they are there {@code stan/NAME.stan}, {@code
 * reference/NAME.json} with what is known of the posterior, and in {@code data/} the file that the
 * reference names, or {@code NAME.json}.
 */
public record StanFolder(Path path) {
  private static final String ENDING = "_model.so";

  /**
   * One model.
   *
   * @param source of the library, for others who compile it anew
   */
  public record StanPosterior(
      String name,
      Path library,
      Optional<Path> data,
      Optional<Path> source,
      Optional<KnownAnswers> known) {
    /** Under a name that no density of ours has. */
    public StanPosterior apart() {
      return new StanPosterior("stan-" + name, library, data, source, known);
    }
  }

  /** All models, in the order of their names. */
  public List<StanPosterior> posteriors() {
    if (!Files.isDirectory(path)) {
      throw new UserException("--stan-dir " + path + ": there is no such folder");
    }
    List<StanPosterior> found =
        Stream.of(path, path.resolve("lib"))
            .flatMap(StanFolder::files)
            .filter(file -> fileName(file).endsWith(ENDING))
            .map(this::posterior)
            .sorted((a, b) -> a.name.compareTo(b.name))
            .toList();
    if (found.isEmpty()) {
      throw new UserException(
          "--stan-dir %s: there is no file *%s in it; make one of every model with BridgeStan"
              .formatted(path, ENDING));
    }
    return found;
  }

  private StanPosterior posterior(Path library) {
    String name = fileName(library).replaceFirst("^lib", "").replace(ENDING, "");
    Optional<JsonNode> reference = there("reference/" + name + ".json").map(StanFolder::read);
    String data =
        reference
            .map(tree -> tree.path("data").asString(""))
            .filter(text -> !text.isEmpty())
            .orElse(name + ".json");
    return new StanPosterior(
        name,
        library.toAbsolutePath().normalize(),
        there("data/" + data).or(() -> there(data)),
        there("stan/" + name + ".stan").or(() -> there(name + ".stan")),
        reference.map(StanFolder::known));
  }

  private Optional<Path> there(String file) {
    return Optional.of(path.resolve(file).toAbsolutePath().normalize()).filter(Files::exists);
  }

  private static KnownAnswers known(JsonNode tree) {
    var moments = new LinkedHashMap<String, KnownAnswers.Moments>();
    tree.path("parameters")
        .properties()
        .forEach(
            column ->
                moments.put(
                    column.getKey(),
                    new KnownAnswers.Moments(
                        column.getValue().path("mean").asDouble(Double.NaN),
                        column.getValue().path("sd").asDouble(Double.NaN))));
    return new KnownAnswers(
        number(tree.path("log_z").path("value")),
        number(tree.path("gaussian_elbo").path("mean_field")),
        number(tree.path("gaussian_elbo").path("full_rank")),
        moments,
        List.of());
  }

  private static OptionalDouble number(JsonNode node) {
    return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
  }

  private static JsonNode read(Path file) {
    try {
      return Texts.tree(Texts.JSON, file, WholeFile.read(file));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }

  private static Stream<Path> files(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Stream.of();
    }
    try (var files = Files.list(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }

  private static String fileName(Path file) {
    @Nullable Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }
}
