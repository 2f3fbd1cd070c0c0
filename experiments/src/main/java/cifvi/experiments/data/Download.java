package cifvi.experiments.data;

import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import cifvi.vi.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

  private final HttpClient client;
  private final URI address;
  private final Path part;
  private final Duration patience;
  private volatile boolean answered;
  private volatile long done;
  private volatile long length = -1;

  Download(HttpClient client, URI address, Path part, Duration patience) {
    this.client = client;
    this.address = address;
    this.part = part;
    this.patience = patience;
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
        throw new IOException(answered ? "fell silent" + soFar() : "does not answer");
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
    answered = false;
    done = have;
    var request = HttpRequest.newBuilder(address);
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-");
    }
    var response = client.send(request.build(), BodyHandlers.ofInputStream());
    answered = true;
    try (InputStream body = response.body()) {
      switch (response.statusCode()) {
        case OK -> receive(response, body, 0);
        case PARTIAL_CONTENT -> receive(response, body, have);
        case RANGE_NOT_SATISFIABLE -> {
          // all is there already, or the part is of another file: its checksum tells
        }
        default -> throw new IOException("answers with status " + response.statusCode());
      }
    }
  }

  private void receive(HttpResponse<?> response, InputStream body, long from) throws IOException {
    var headers = response.headers();
    if (from > 0
        && !headers.firstValue("Content-Range").orElse("").startsWith("bytes " + from + "-")) {
      throw new IOException("answers with another range than was asked for");
    }
    long at = from;
    long rest = headers.firstValueAsLong("Content-Length").orElse(-1);
    length = rest < 0 ? -1 : from + rest;
    try (var file = open(from)) {
      byte[] buffer = new byte[BUFFER];
      for (int n = read(body, buffer); n >= 0; n = read(body, buffer)) {
        write(file, ByteBuffer.wrap(buffer, 0, n));
        at += n;
        done = at;
      }
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
    return new UserException(part + ": cannot be written: " + RunDirectory.reason(e), e);
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
