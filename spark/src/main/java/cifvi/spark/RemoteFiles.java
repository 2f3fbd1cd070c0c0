package cifvi.spark;

import cifvi.experiments.files.UserException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.jspecify.annotations.Nullable;

/** Files under the URI of a folder, on any file system that Hadoop knows. */
final class RemoteFiles {
  private static final String HADOOP = "spark.hadoop.";

  private final org.apache.hadoop.fs.Path root;
  private final FileSystem files;
  private final @Nullable FileContext context;

  private RemoteFiles(
      org.apache.hadoop.fs.Path root, FileSystem files, @Nullable FileContext context) {
    this.root = root;
    this.files = files;
    this.context = context;
  }

  static RemoteFiles at(String uri, Configuration configuration) throws IOException {
    var root = new org.apache.hadoop.fs.Path(URI.create(uri.replace(" ", "%20")));
    FileSystem files = root.getFileSystem(configuration);
    files.setWriteChecksum(false);
    return new RemoteFiles(root, files, context(files, configuration));
  }

  /** Replaces a file in one move; object stores have none, and replace it when it is closed. */
  private static @Nullable FileContext context(FileSystem files, Configuration configuration)
      throws IOException {
    try {
      return FileContext.getFileContext(files.getUri(), configuration);
    } catch (UnsupportedFileSystemException _) {
      return null;
    }
  }

  /** The settings of the driver, before there is a session. */
  static Configuration configuration(Map<String, String> settings) {
    var configuration = new Configuration();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(HADOOP)) {
            configuration.set(key.substring(HADOOP.length()), value);
          }
        });
    return configuration;
  }

  /** In words, where the file system is unknown or does not answer. */
  static UserException unusable(String uri, Exception e) {
    return new UserException(
        uri + ": cannot be used: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
        e);
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return name.isEmpty() ? root : new org.apache.hadoop.fs.Path(root, name);
  }

  void createFolder(String name) throws IOException {
    files.mkdirs(path(name));
  }

  boolean exists(String name) throws IOException {
    return files.exists(path(name));
  }

  /** What lies in a folder; nothing where there is none. */
  FileStatus[] list(String name) throws IOException {
    try {
      return files.listStatus(path(name));
    } catch (FileNotFoundException _) {
      return new FileStatus[0];
    }
  }

  Optional<String> read(String name) throws IOException {
    try (InputStream in = files.open(path(name))) {
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (FileNotFoundException _) {
      return Optional.empty();
    }
  }

  /** Whether it was made, being new. */
  boolean create(String name, String text) throws IOException {
    try (OutputStream out = files.create(path(name), false)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (FileAlreadyExistsException | org.apache.hadoop.fs.PathExistsException _) {
      return false;
    } catch (IOException e) {
      if (files.exists(path(name))) {
        return false; // not every file system has an exception of its own for it
      }
      throw e;
    }
  }

  void write(String name, byte[] bytes) throws IOException {
    org.apache.hadoop.fs.Path target = path(name);
    if (context == null) {
      put(target, bytes);
      return;
    }
    var fresh = new org.apache.hadoop.fs.Path(target.getParent(), "." + target.getName() + ".tmp");
    put(fresh, bytes);
    context.rename(fresh, target, Rename.OVERWRITE);
  }

  private void put(org.apache.hadoop.fs.Path to, byte[] bytes) throws IOException {
    try (OutputStream out = files.create(to, true)) {
      out.write(bytes);
    }
  }

  void delete(String name) throws IOException {
    files.delete(path(name), false);
  }

  /** Brings a file here, whole. */
  void fetch(String name, Path to) throws IOException {
    Files.createDirectories(to.toAbsolutePath().getParent());
    Path fresh = to.resolveSibling(to.getFileName() + ".fetch");
    try (InputStream in = files.open(path(name))) {
      Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(fresh, to, StandardCopyOption.REPLACE_EXISTING);
  }
}
