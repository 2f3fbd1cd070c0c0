package cifvi.experiments.fit;

import cifvi.LogDensity;
import cifvi.experiments.files.UserException;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/** Folders and jars that classes are looked for in. */
record ClassPath(List<Path> entries) {
  private static final String ALL_JARS = "*";

  /** Reads {@code a.jar:classes:lib/*}, with the separator of this system. */
  static ClassPath of(String text) {
    var entries = new ArrayList<Path>();
    for (String entry : text.split(File.pathSeparator, -1)) {
      if (entry.endsWith(ALL_JARS)) {
        entries.addAll(jars(Path.of(entry.substring(0, entry.length() - 1))));
      } else if (!entry.isEmpty()) {
        entries.add(checked(Path.of(entry)));
      }
    }
    return new ClassPath(List.copyOf(entries));
  }

  private static Path checked(Path entry) {
    if (!Files.exists(entry)) {
      throw new UserException("class path: there is no " + entry);
    }
    if (!Files.isDirectory(entry)) {
      try (var _ = new ZipFile(entry.toFile())) {
        return entry;
      } catch (IOException e) {
        throw new UserException(
            "class path: %s is neither a folder nor a jar: %s".formatted(entry, e.getMessage()), e);
      }
    }
    return entry;
  }

  private static List<Path> jars(Path folder) {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UserException("class path: there is no folder " + folder, e);
    }
  }

  /** A loader of its own, which is never closed: classes are loaded when they are first needed. */
  URLClassLoader loader() {
    return new URLClassLoader(
        "own density",
        entries.stream().map(ClassPath::url).toArray(URL[]::new),
        LogDensity.class.getClassLoader());
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UserException("class path: " + entry + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return entries.isEmpty()
        ? "cifvi itself; say where it is with a class path"
        : String.join(", ", entries.stream().map(Path::toString).toList());
  }
}
