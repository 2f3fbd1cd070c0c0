package cifvi.experiments.data;

import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What no server can be made to do at will. */
class DownloadTest {
  @TempDir Path folder;

  private record Info(int statusCode, HttpHeaders headers, HttpClient.Version version)
      implements ResponseInfo {}

  /** A client that learns of the end of the connection before it hands out the body. */
  private static Download.Client breaksOffAtOnce(int status) {
    var headers = HttpHeaders.of(Map.of("Content-Length", List.of("1234")), (_, _) -> true);
    return (_, handler) -> {
      var body = handler.apply(new Info(status, headers, HttpClient.Version.HTTP_1_1));
      var end = new IOException("fixed content-length: 1234, bytes received: 0");
      body.onError(end);
      throw end;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | broke off after 0 of 1,234 bytes
          404 | answers with status 404
          """)
  void aBodyThatIsNotHandedOutFailsLikeOneThatIs(int status, String message) {
    var download =
        new Download(
            breaksOffAtOnce(status),
            URI.create("http://some.example/file"),
            folder.resolve("file.part"),
            Duration.ofSeconds(30),
            10_000);
    assertThatIOException().isThrownBy(() -> download.run((_, _) -> true)).withMessage(message);
  }
}
