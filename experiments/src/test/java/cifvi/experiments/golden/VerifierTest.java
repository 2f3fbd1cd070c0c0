package cifvi.experiments.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
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

  /** What would ask for more memory than there is, where it was not refused before. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mog9_target | config K | 2147483647 | config K or target_components: expected 1 to 10000
          mog9_target | config K | 1e300 | config K or target_components: expected 1 to 10000
          marginal_elbo_estimator | config M | 9999 | noise: expected 39996 rows, got at most 20
          log_likelihood_estimator | config S | 10000 | noise: expected 30000 rows, got at most 12
          iwae_k5 | config K | 10000 | noise: expected 30000 rows, got at most 15
          spline_forward | config num_bins | 2000000000 | config num_bins: expected 1 to 10000
          nsf_layer_d2 | params made.initial.weight | {"shape": [0, 2147483647], "data": []} | shape [0, 2147483647] does not fit 0 numbers
          nsf_layer_d2 | params made.initial.weight | {"shape": [4611686018427387904, 4], "data": []} | the shape must be whole numbers
          nsf_layer_d2 | params made.initial.weight | {"shape": [-1, -1], "data": [1]} | shape [-1, -1] does not fit 1 numbers
          """)
  void hugeSizesFail(String name, String key, String value, String reason) {
    String[] keys = key.split(" ", 2);
    Path changed =
        change(
            resource(name),
            root -> ((ObjectNode) root.get(keys[0])).set(keys[1], JSON.readTree(value)));
    assertThat(Verifier.verify(changed).reason()).contains(reason);
  }

  /** A matrix of 5000 x 5000 for a bias of 5000, layer by layer. */
  @Test
  void wideNetworksFail() {
    var bias = JSON.createObjectNode();
    bias.putArray("shape").add(5000);
    ArrayNode data = bias.putArray("data");
    for (int i = 0; i < 5000; i++) {
      data.add(0.0);
    }
    Path changed =
        change(
            resource("lu_layer_d5"),
            root -> ((ObjectNode) root.get("params")).set("lu.bias", bias));
    assertThat(Verifier.verify(changed).reason())
        .isEqualTo("params lu.bias: expected sizes up to 2048, got [5000]");
  }

  @Test
  void aFileThatUnpacksToFarMoreFails() throws IOException {
    Path bomb = folder.resolve("bomb.json.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
      out.write("{\"case\": [0".getBytes(StandardCharsets.UTF_8));
      byte[] zeros = ",0".repeat(1 << 19).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 17; i++) {
        out.write(zeros);
      }
      out.write("]}".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(Verifier.verify(bomb).reason()).isEqualTo("holds more than 16777216 bytes");
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
