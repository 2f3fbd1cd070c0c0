package cifvi.spark;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;

/**
 * A cell under a URI, worked on in a folder of this machine: brought here when it begins, saved
 * every few seconds and at its end. At every moment what is saved can be gone on with: a checkpoint
 * counts on the lines of its steps, so these are saved before it, and the result is saved last.
 */
final class Staging implements SharedFolder.Place {
  private static final long SAVE_SECONDS = 5;

  private final RemoteFiles files;
  private final String cell;
  private final RemoteLease lease;
  private final Path scratch;
  private final Map<String, Object> saved = new HashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread saver;
  private final Thread worker = Thread.currentThread();

  private Staging(RemoteFiles files, String cell, RemoteLease lease, Path scratch) {
    this.files = files;
    this.cell = cell;
    this.lease = lease;
    this.scratch = scratch;
    this.saver = Thread.ofPlatform().daemon().name("save").unstarted(this::saveAllTheTime);
  }

  static Staging open(RemoteFiles files, String cell) throws IOException {
    files.createFolder(cell);
    try {
      RemoteLease lease = RemoteLease.take(files, cell);
      var staging = new Staging(files, cell, lease, Files.createTempDirectory("cifvi-cell"));
      staging.fetch(cell);
      if (files.exists(cell + ".log")) {
        files.fetch(cell + ".log", staging.scratch.resolve(cell + ".log"));
      }
      staging.saver.start();
      return staging;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public Path path() {
    return scratch.resolve(cell);
  }

  private void fetch(String folder) throws IOException {
    for (FileStatus entry : files.list(folder)) {
      String name = entry.getPath().getName();
      if (entry.isDirectory()) {
        fetch(folder + "/" + name);
      } else if (!RemoteLease.isPart(name) && !name.startsWith(".")) {
        Path to = scratch.resolve(folder + "/" + name);
        files.fetch(folder + "/" + name, to);
        saved.put(folder + "/" + name, stamp(to));
      }
    }
  }

  private static Object stamp(Path file) throws IOException {
    var attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return List.of(attributes.size(), attributes.lastModifiedTime());
  }

  private void saveAllTheTime() {
    try {
      while (!closed.await(SAVE_SECONDS, TimeUnit.SECONDS)) {
        save();
      }
    } catch (UserException _) {
      worker.interrupt(); // another machine has the cell now
    } catch (IOException | InterruptedException _) {
      // the last save tells
    }
  }

  @Override
  public synchronized void save() throws IOException {
    lease.renew();
    Path snapshot = Files.createTempDirectory(scratch, "snapshot");
    try {
      List<Path> last = snapshots(snapshot);
      for (Path file : others()) {
        save(scratch.relativize(file).toString(), file);
      }
      for (Path file : last) {
        save(cell + "/checkpoints/" + file.getFileName(), file);
      }
      Path result = path().resolve("result.json");
      if (Files.exists(result)) {
        save(cell + "/result.json", result);
      }
    } finally {
      Scratch.delete(snapshot);
    }
  }

  /** Checkpoints as they are now, the latest last. */
  private List<Path> snapshots(Path to) throws IOException {
    Path checkpoints = path().resolve("checkpoints");
    if (!Files.isDirectory(checkpoints)) {
      return List.of();
    }
    var taken = new ArrayList<Path>();
    for (String name : List.of("previous", "best", "latest")) {
      Path link = to.resolve(name + ".safetensors");
      try {
        Files.createLink(link, checkpoints.resolve(name + ".safetensors"));
        taken.add(link);
      } catch (NoSuchFileException | FileAlreadyExistsException _) {
        // there is none yet
      }
    }
    return taken;
  }

  private List<Path> others() throws IOException {
    try (Stream<Path> all = Files.walk(scratch)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.toString().endsWith(".tmp"))
          .filter(file -> !file.toString().endsWith(".safetensors"))
          .filter(file -> !file.equals(path().resolve("result.json")))
          .filter(file -> !cifvi.experiments.files.FolderLock.isPart(name(file)))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private void save(String name, Path file) throws IOException {
    try {
      Object stamp = stamp(file);
      if (!stamp.equals(saved.get(name))) {
        files.write(name, Files.readAllBytes(file));
        saved.put(name, stamp);
      }
    } catch (NoSuchFileException _) {
      // replaced just now; the next time
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    try {
      synchronized (this) {
        lease.release();
      }
    } finally {
      Scratch.delete(scratch);
    }
  }
}
