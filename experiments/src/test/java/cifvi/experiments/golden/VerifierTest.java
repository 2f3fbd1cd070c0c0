package cifvi.experiments.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The reference vectors come out to the last digits, and a file that differs in anything is
 * refused.
 */
class VerifierTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir Path folder;

  static List<Path> files() {
    try (Stream<Path> files =
        Files.list(Path.of(VerifierTest.class.getResource("/golden").toURI()))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyNumberAgrees(Path file) {
    Verdict verdict = Verifier.verify(file);
    assertThat(verdict.reason()).isNull();
    assertThat(verdict.compared()).isPositive();
    assertThat(verdict.valueError()).isLessThan(1e-12);
    assertThat(verdict.gradientError()).isLessThan(1e-11);
  }

  @Test
  void allFilesAreThere() {
    assertThat(files()).hasSize(24);
  }

  @ParameterizedTest
  @MethodSource("files")
  void oneNumberChangedByAMillionthFails(Path file) {
    Path changed =
        change(
            file,
            root ->
                changeFirstNumber(
                    root.has("outputs") ? root.get("outputs") : root.get("steps").get(0)));
    assertThat(Verifier.verify(changed).ok()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "mog9_cif_nsf_elbo_full, outputs, L7.u, missing outputs L7.u",
    "mog9_cif_nsf_elbo_full, grads, L7.q.1.bias, missing grads L7.q.1.bias",
    "mog9_cif_nsf_elbo_full, params, L7.q.1.bias, missing layers.7.q.1.bias",
    "mog9_cif_nsf_elbo_full, noise, u at L4, missing noise u at L4",
    "marginal_elbo_estimator, outputs, log_q_hat, missing outputs log_q_hat",
    "maf_image_elbo_train, buffers_after_forward, L3.running_var, missing buffers_after_forward L3.running_var",
  })
  void aMissingKeyFailsWithItsName(String name, String section, String key, String reason) {
    Path changed = change(resource(name), root -> ((ObjectNode) root.get(section)).remove(key));
    assertThat(Verifier.verify(changed).reason()).contains(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "mog9_nsf_elbo_full, outputs, not understood: outputs extra",
    "mog9_nsf_elbo_full, grads, not understood: grads extra",
    "mog9_nsf_elbo_full, noise, not understood: noise extra",
    "mog9_nsf_elbo_full, params, unexpected extra",
    "lu_layer_d5, inputs, not understood: inputs extra",
  })
  void anUnknownKeyFailsWithItsName(String name, String section, String reason) {
    JsonNode number = JSON.readTree("{\"shape\": [1], \"data\": [1.0]}");
    Path changed =
        change(resource(name), root -> ((ObjectNode) root.get(section)).set("extra", number));
    assertThat(Verifier.verify(changed).reason()).contains(reason);
  }

  @Test
  void anUnknownSectionFails() {
    Path changed = change(resource("mog9_target"), root -> ((ObjectNode) root).put("surprise", 1));
    assertThat(Verifier.verify(changed).reason()).isEqualTo("unknown section surprise");
  }

  @Test
  void anUnknownLayerTypeFails() {
    Path changed =
        change(
            resource("mog9_nsf_elbo_full"),
            root ->
                ((ObjectNode) root.get("layers_in_sampling_order").get(1)).put("type", "planar"));
    assertThat(Verifier.verify(changed).reason()).isEqualTo("unknown layer type planar");
  }

  @Test
  void unreadableFilesFail() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.json"), "{\"case\": ");
    assertThat(Verifier.verify(broken).reason()).startsWith("not readable as JSON");
    assertThat(Verifier.verify(folder.resolve("absent.json")).ok()).isFalse();
    assertThat(Verifier.verify(Files.writeString(folder.resolve("x.json.gz"), "no gzip")).ok())
        .isFalse();
  }

  private static Path resource(String name) {
    return files().stream().filter(f -> f.endsWith(name + ".json.gz")).findFirst().orElseThrow();
  }

  private Path change(Path file, Consumer<JsonNode> change) {
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      JsonNode root = JSON.readTree(in);
      change.accept(root);
      return Files.writeString(folder.resolve("changed.json"), JSON.writeValueAsString(root));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void changeFirstNumber(JsonNode section) {
    var tensor = section.valueStream().filter(node -> node.has("data")).findFirst();
    if (tensor.isPresent()) {
      var data = (ArrayNode) tensor.get().get("data");
      data.set(0, DoubleNode.valueOf(data.get(0).asDouble() + 1e-6));
    } else {
      var step = (ObjectNode) section;
      step.put("loss", step.get("loss").asDouble() + 1e-6);
    }
  }
}
