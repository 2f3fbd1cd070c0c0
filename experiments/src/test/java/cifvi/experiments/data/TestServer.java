package cifvi.experiments.data;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web server on this machine with every fault a server can have. */
final class TestServer implements AutoCloseable {
  enum Fault {
    NONE,
    IGNORES_RANGE,
    /** Sends half of what was asked for, then closes the connection. */
    BREAKS_OFF,
    /** The same, but only where the whole file was asked for. */
    BREAKS_OFF_ONCE,
    /** Closes the connection before the first byte of the body. */
    BREAKS_OFF_AT_ONCE,
    /** Sends half of what was asked for, then nothing more. */
    FALLS_SILENT,
    /** Takes the request and never answers. */
    NEVER_ANSWERS,
    /** Does not say how much it sends, and sends a hundred times too much. */
    ENDLESS,
    /** Says that it will send a terabyte. */
    HUGE,
    NOT_FOUND
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Fault fault = Fault.NONE;

  TestServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  URI folder() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/data/");
  }

  void put(String name, byte[] content) {
    files.put("/data/" + name, content);
  }

  void fault(Fault fault) {
    this.fault = fault;
  }

  /** What was asked for: the range, or "all". */
  List<String> requests() {
    return requests;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    requests.add(range == null ? "all" : range);
    byte[] content = files.get(exchange.getRequestURI().getPath());
    if (fault == Fault.NEVER_ANSWERS) {
      await();
    } else if (content == null || fault == Fault.NOT_FOUND) {
      exchange.sendResponseHeaders(404, -1);
    } else if (range == null || fault == Fault.IGNORES_RANGE) {
      send(exchange, 200, content, 0);
    } else {
      sendRange(exchange, content, Integer.parseInt(range.replaceAll("bytes=([0-9]+)-", "$1")));
    }
    exchange.close();
  }

  private void sendRange(HttpExchange exchange, byte[] content, int from) throws IOException {
    if (from >= content.length) {
      exchange.sendResponseHeaders(416, -1);
    } else {
      String range = "bytes %d-%d/%d".formatted(from, content.length - 1, content.length);
      exchange.getResponseHeaders().set("Content-Range", range);
      send(exchange, 206, content, from);
    }
  }

  private void send(HttpExchange exchange, int status, byte[] content, int from)
      throws IOException {
    int length = content.length - from;
    exchange.sendResponseHeaders(
        status, fault == Fault.ENDLESS ? 0 : fault == Fault.HUGE ? 1L << 40 : length);
    var body = exchange.getResponseBody();
    switch (fault) {
      case BREAKS_OFF -> body.write(content, from, (length + 1) / 2);
      case BREAKS_OFF_ONCE -> body.write(content, from, from == 0 ? length / 2 : length);
      case BREAKS_OFF_AT_ONCE -> {}
      case ENDLESS -> {
        for (int i = 0; i < 100; i++) {
          body.write(content);
        }
      }
      case FALLS_SILENT -> {
        body.write(content, from, length / 2);
        body.flush();
        await();
      }
      default -> body.write(content, from, length);
    }
    body.flush();
  }

  private void await() {
    try {
      closed.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
