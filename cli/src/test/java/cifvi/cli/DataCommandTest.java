package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cifvi data} says what is there, what is not and how to get it. */
class DataCommandTest {
  @TempDir Path folder;

  @Test
  void anEmptyFolderIsCheckedFileByFile() {
    var cli = Cli.run("data", "check", "mnist", "--data-dir", folder);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.out().lines())
        .hasSize(4)
        .allMatch(line -> line.matches("FAIL \\S+ +is missing"));
    assertThat(cli.err()).contains("cifvi data fetch mnist --data-dir " + folder);
  }

  @Test
  void aBadFileIsCheckedForWhatItIs() throws IOException {
    Path file = folder.resolve("mnist").resolve("train-labels-idx1-ubyte");
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[] {0, 0, 8, 3});
    assertThat(Cli.run("data", "check", "mnist", "--data-dir", folder).out())
        .contains("FAIL train-labels-idx1-ubyte     holds images, expected labels");
  }

  @Test
  void aMirrorWithoutTheFilesLeadsToAnotherWay() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] page = "<html>sign in</html>".getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    try {
      String mirror = "http://127.0.0.1:" + server.getAddress().getPort();
      var cli = Cli.run("data", "fetch", "fashion-mnist", "--data-dir", folder, "--mirror", mirror);
      assertThat(cli.exitCode()).isEqualTo(2);
      assertThat(cli.err())
          .contains(
              "train-images-idx3-ubyte.gz cannot be fetched",
              "apt-get download dataset-fashion-mnist",
              "cifvi data fetch fashion-mnist --data-dir " + folder + " --from unpacked");
      assertThat(folder.resolve("fashion-mnist")).isEmptyDirectory();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aFolderWithoutTheFilesIsNamed() {
    var cli = Cli.run("data", "fetch", "mnist", "--data-dir", folder, "--from", folder);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err().lines()).hasSize(5).anyMatch(line -> line.contains("t10k-labels"));
  }

  @Test
  void aFileInTheWayOfTheCacheIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("cache"));
    var cli = Cli.run("data", "fetch", "mnist", "--data-dir", file, "--from", folder);
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .contains(file.toString(), "cannot be written", "choose another --data-dir");
  }

  @ParameterizedTest
  @CsvSource({
    "data, 'data: expected fetch or check'",
    "data fetch, 'Missing required parameter: ''NAME'''",
    "data fetch cifar, 'NAME: expected mnist or fashion-mnist, got cifar'",
    "data check cifar, 'NAME: expected mnist or fashion-mnist, got cifar'",
    "data fetch mnist --mirror here, '--mirror: expected a URL with http or https, got here'",
    "data fetch mnist --mirror http://[, '--mirror: expected a URL, got http://['",
    "data fetch mnist --mirror http://a --from b, '--from and --mirror exclude each other'",
    "data fetch mnist --from /no/such, '--from /no/such: is not a folder'",
  })
  void aBadCommandIsExplained(String line, String message) {
    var cli = Cli.run((Object[]) line.split(" "));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("cifvi: " + message);
  }
}
