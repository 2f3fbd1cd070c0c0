package cifvi.experiments.data;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/** A folder that has the files somewhere below it, as packages unpack to. */
public record LocalFolder(Path folder) implements Source {
  /** Enough for {@code usr/share/datasets/fashion-mnist/FILE} of a Debian package. */
  private static final int DEPTH = 5;

  public LocalFolder {
    if (!Files.isDirectory(folder)) {
      throw new UserException("--from " + folder + ": is not a folder");
    }
  }

  /** Chooses every file first, so that a folder that lacks one leaves everything as it was. */
  @Override
  public void get(List<DataFile> files, Path into, FetchListener listener) {
    List<Path> all = files();
    var chosen = new LinkedHashMap<DataFile, Path>();
    var complaints = new ArrayList<String>();
    for (DataFile file : files) {
      choose(file, all, chosen, complaints);
    }
    if (!complaints.isEmpty()) {
      throw new UserException(
          "--from " + folder + ": not all files are there:\n  " + String.join("\n  ", complaints));
    }
    chosen.forEach((file, path) -> copy(file, path, into, listener));
  }

  /** The first file of the right name that is good: the folder may hold several data sets. */
  private static void choose(
      DataFile file,
      List<Path> all,
      LinkedHashMap<DataFile, Path> chosen,
      List<String> complaints) {
    var reasons = new ArrayList<String>();
    for (Path path : all) {
      if (file.spellings().contains(path.getFileName().toString())) {
        try {
          file.read(path);
          chosen.put(file, path);
          return;
        } catch (BadFileException e) {
          reasons.add(path + " " + e.problem());
        }
      }
    }
    complaints.addAll(reasons.isEmpty() ? List.of(file.name() + " (or .gz): missing") : reasons);
  }

  private static void copy(DataFile file, Path path, Path into, FetchListener listener) {
    Path copy = into.resolve(file.name() + ".copy");
    try {
      try {
        Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
        Path target = DataDirectory.place(file, copy, into);
        listener.note(target + " copied from " + path);
      } finally {
        Files.deleteIfExists(copy);
      }
    } catch (IOException e) {
      throw new UserException(copy + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }

  private List<Path> files() {
    var files = new ArrayList<Path>();
    try {
      Files.walkFileTree(
          folder,
          Set.of(FileVisitOption.FOLLOW_LINKS),
          DEPTH,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile()) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // what cannot be read does not hold our files
            }
          });
    } catch (IOException e) {
      throw new UserException("--from " + folder + ": cannot be read: " + WholeFile.reason(e), e);
    }
    Collections.sort(files);
    return files;
  }
}
