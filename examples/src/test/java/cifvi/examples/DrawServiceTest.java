package cifvi.examples;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.Cifvi;
import cifvi.Family;
import cifvi.FittedPosterior;
import cifvi.LogDensity;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many requests at once get the answers that one at a time would get. */
class DrawServiceTest {
  private static final int REQUESTS = 200;
  private static final int SEEDS = 10;

  @TempDir private Path folder;

  @Test
  void equalSeedsGiveEqualAnswers() throws Exception {
    try (var posterior = FittedPosterior.load(saved());
        var client = HttpClient.newHttpClient()) {
      HttpServer server = DrawService.start(posterior, 0);
      try {
        List<String> alone = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
          alone.add(get(client, server, "n=100&seed=" + seed).join().body());
        }
        assertThat(alone).doesNotHaveDuplicates().allMatch(text -> text.split("], ").length == 100);
        List<CompletableFuture<HttpResponse<String>>> together = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
          together.add(get(client, server, "n=100&seed=" + i % SEEDS));
        }
        for (int i = 0; i < REQUESTS; i++) {
          assertThat(together.get(i).join().body()).isEqualTo(alone.get(i % SEEDS));
        }
        for (String wrong : List.of("n=0&seed=1", "n=10000&seed=1", "n=100", "")) {
          assertThat(get(client, server, wrong).join().statusCode()).isEqualTo(400);
        }
      } finally {
        server.stop(0);
      }
    }
  }

  private Path saved() throws IOException {
    Path file = folder.resolve("posterior.safetensors");
    var fit = Cifvi.fitting(LogDensity.of(2, OwnDensity::logDensity)).family(Family.CIF_NSF);
    try (var posterior = fit.initialPoint(5, 0).steps(20).run()) {
      posterior.save(file);
    }
    return file;
  }

  private static CompletableFuture<HttpResponse<String>> get(
      HttpClient client, HttpServer server, String query) {
    var uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/draws?" + query);
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
