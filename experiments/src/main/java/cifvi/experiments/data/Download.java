package cifvi.experiments.data;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.vi.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One file of the web into a part file; what a part already holds is not asked for again (HTTP
 * Range). The bytes come on a thread of their own while the caller's watches: it shows progress,
 * ends a silent connection and stops at once when asked to.
 */
final class Download {
  private static final long TICK_MILLIS = 50;
  private static final int BUFFER = 1 << 16;
  private static final int OK = 200;
  private static final int PARTIAL_CONTENT = 206;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  /** What is wanted of an HTTP client. */
  interface Client {
    HttpResponse<InputStream> send(HttpRequest request, BodyHandler<InputStream> handler)
        throws IOException, InterruptedException;
  }

  private final Client client;
  private final URI address;
  private final Path part;
  private final Duration patience;
  private final long mostBytes;
  private volatile @Nullable ResponseInfo answer;
  private volatile long done;
  private volatile long length = -1;

  Download(Client client, URI address, Path part, Duration patience, long mostBytes) {
    this.client = client;
    this.address = address;
    this.part = part;
    this.patience = patience;
    this.mostBytes = mostBytes;
  }

  Path part() {
    return part;
  }

  /** Bytes in the part file. */
  long size() throws IOException {
    return Files.exists(part) ? Files.size(part) : 0;
  }

  /** Downloads what is missing; whatever happens, the part keeps what has come. */
  void run(Progress progress) throws IOException {
    try (var executor = Executors.newSingleThreadExecutor()) {
      Future<?> transfer =
          executor.submit(
              () -> {
                transfer();
                return null;
              });
      try {
        watch(transfer, progress);
      } finally {
        transfer.cancel(true); // closing the executor waits until the part file is let go
      }
    } finally {
      if (size() == 0) {
        Files.deleteIfExists(part);
      }
    }
  }

  private void watch(Future<?> transfer, Progress progress) throws IOException {
    long seen = -1;
    long since = 0;
    while (!isDone(transfer)) {
      long now = System.nanoTime();
      if (done != seen) {
        seen = done;
        since = now;
      } else if (now - since > patience.toNanos()) {
        throw new IOException(answer == null ? "does not answer" : "fell silent" + soFar());
      }
      progress.report(seen, Math.max(seen + 1, length));
    }
    progress.report(done, Math.max(1, done));
  }

  /** Waits a moment for the end of the transfer. */
  private static boolean isDone(Future<?> transfer) throws IOException {
    try {
      transfer.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException _) {
      return false;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException cause -> throw cause;
        case UserException cause -> throw cause;
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Progress.StoppedException();
    }
  }

  private void transfer() throws IOException, InterruptedException {
    long have = size();
    answer = null;
    done = have;
    var request = HttpRequest.newBuilder(address);
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-");
    }
    try (InputStream body = body(request.build())) {
      var head = Objects.requireNonNull(answer);
      switch (head.statusCode()) {
        case OK -> receive(head.headers(), body, 0);
        case PARTIAL_CONTENT -> receive(head.headers(), body, have);
        case RANGE_NOT_SATISFIABLE -> {
          // all is there already, or the part is of another file: its checksum tells
        }
        default -> throw new IOException("answers with status " + head.statusCode());
      }
    }
  }

  /**
   * The body of the answer. Where one breaks off at once it is a matter of moments whether the
   * client still hands it out or throws; taken from its subscriber, it fails when it is read.
   */
  private InputStream body(HttpRequest request) throws IOException, InterruptedException {
    BodySubscriber<InputStream> body = BodySubscribers.ofInputStream();
    try {
      client.send(
          request,
          info -> {
            answer = info;
            return body;
          });
    } catch (IOException e) {
      if (answer == null) {
        throw e;
      }
    }
    return body.getBody().toCompletableFuture().join();
  }

  private void receive(HttpHeaders headers, InputStream body, long from) throws IOException {
    if (from > 0
        && !headers.firstValue("Content-Range").orElse("").startsWith("bytes " + from + "-")) {
      throw new IOException("answers with another range than was asked for");
    }
    long at = from;
    long rest = headers.firstValueAsLong("Content-Length").orElse(-1);
    length = rest < 0 ? -1 : from + rest;
    requireSize(length);
    try (var file = open(from)) {
      byte[] buffer = new byte[BUFFER];
      for (int n = read(body, buffer); n >= 0; n = read(body, buffer)) {
        at += n;
        requireSize(at);
        write(file, ByteBuffer.wrap(buffer, 0, n));
        done = at;
      }
    }
  }

  /** A part that has grown too large is of no use, nor is a server that would send more. */
  private void requireSize(long bytes) throws IOException {
    if (bytes > mostBytes) {
      Files.deleteIfExists(part);
      throw new IOException(
          String.format(
              Locale.ROOT, "sends more than the %,d bytes that the file can have", mostBytes));
    }
  }

  private FileChannel open(long from) {
    try {
      var file = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      return file.truncate(from).position(from);
    } catch (IOException e) {
      throw cannotBeWritten(e);
    }
  }

  private void write(FileChannel file, ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw cannotBeWritten(e);
    }
  }

  private UserException cannotBeWritten(IOException e) {
    return new UserException(part + ": cannot be written: " + WholeFile.reason(e), e);
  }

  private int read(InputStream body, byte[] buffer) throws IOException {
    try {
      return body.read(buffer);
    } catch (IOException e) {
      throw new IOException("broke off" + soFar(), e);
    }
  }

  private String soFar() {
    return length < 0
        ? String.format(Locale.ROOT, " after %,d bytes", done)
        : String.format(Locale.ROOT, " after %,d of %,d bytes", done, length);
  }
}
