package cifvi.spark;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The jars that a cell's process needs, libtorch for its platform among them. Spark brings them to
 * an executor once.
 */
record Shipment(List<Path> jars) {
  /** The class path of cells, given by the launcher; else this program is one jar. */
  private static final String CLASS_PATH = "cifvi.cells";

  static Shipment of(Path folder) {
    String path = System.getProperty(CLASS_PATH);
    if (path == null) {
      return new Shipment(List.of(ownJar()));
    }
    var jars = new ArrayList<Path>();
    for (String entry : path.split(File.pathSeparator, -1)) {
      Path file = Path.of(entry);
      if (Files.isDirectory(file)) {
        jars.add(packed(file, folder.resolve("classes-" + jars.size() + ".jar")));
      } else if (!entry.isEmpty()) {
        jars.add(file);
      }
    }
    return new Shipment(jars);
  }

  /** The jar that this class is of. */
  static Path ownJar() {
    try {
      return Path.of(Shipment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  String classPath() {
    return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
  }

  List<String> names() {
    return jars.stream().map(jar -> String.valueOf(jar.getFileName())).toList();
  }

  /** The classes of a build that is not packed yet. */
  private static Path packed(Path classes, Path jar) {
    try (OutputStream file = Files.newOutputStream(jar);
        var out = new JarOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      out.setLevel(0);
      for (Path entry : files.filter(Files::isRegularFile).sorted().toList()) {
        String[] names =
            Arrays.stream(classes.relativize(entry).toString().split("[/\\\\]", -1))
                .toArray(String[]::new);
        out.putNextEntry(new JarEntry(String.join("/", names)));
        Files.copy(entry, out);
        out.closeEntry();
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
