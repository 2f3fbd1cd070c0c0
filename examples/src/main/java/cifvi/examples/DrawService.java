package cifvi.examples;

import cifvi.FittedPosterior;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A saved posterior behind HTTP, a virtual thread for every request: {@code GET
 * /draws?n=100&seed=3} answers with rows of numbers in JSON, the same for the same seed.
 *
 * <p>Arguments: the file, such as {@link OwnDensity} saves, and the port.
 */
public final class DrawService {
  private static final Pattern QUERY = Pattern.compile("n=([1-9]\\d{0,3})&seed=(\\d{1,9})");

  private DrawService() {}

  public static void main(String[] args) throws IOException {
    var server = start(FittedPosterior.load(Path.of(args[0])), Integer.parseInt(args[1]));
    System.out.println("http://localhost:" + server.getAddress().getPort() + "/draws?n=100&seed=3");
  }

  static HttpServer start(FittedPosterior posterior, int port) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    var server = HttpServer.create(address, 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/draws", exchange -> answer(posterior, exchange));
    server.start();
    return server;
  }

  private static void answer(FittedPosterior posterior, HttpExchange exchange) throws IOException {
    try (exchange) {
      var query = QUERY.matcher(String.valueOf(exchange.getRequestURI().getQuery()));
      int status = query.matches() ? 200 : 400;
      String text = "expected a query such as n=100&seed=3, with n from 1 to 9999";
      if (status == 200) {
        int n = Integer.parseInt(query.group(1));
        var draws = posterior.draws(n, Long.parseLong(query.group(2)));
        text = Arrays.deepToString(IntStream.range(0, n).mapToObj(draws::draw).toArray());
      }
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
