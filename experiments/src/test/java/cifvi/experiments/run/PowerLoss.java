package cifvi.experiments.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What power that fails can leave of a run: each file is, on its own, as it was at some moment, not
 * there, or cut within what was appended since. Renames are undone in every order that way.
 */
public final class PowerLoss {
  private final List<Map<String, byte[]>> moments = new ArrayList<>();

  /** Remembers all files of a run as they are now; the spec was there before anything else. */
  public void remember(Path run) {
    var files = new TreeMap<String, byte[]>();
    try (Stream<Path> all = Files.walk(run)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(run.relativize(file).toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.remove("lock");
    moments.add(files);
  }

  public int moments() {
    return moments.size();
  }

  /** Makes a folder as it may be after power came back. */
  public void leave(Path lost, Random random) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    moments.forEach(files -> names.addAll(files.keySet()));
    names.remove(RunSpec.FILE);
    Files.createDirectories(lost.resolve("checkpoints"));
    Files.write(
        lost.resolve(RunSpec.FILE), moments.getFirst().getOrDefault(RunSpec.FILE, new byte[0]));
    int newest = random.nextInt(moments.size());
    for (String name : names) {
      leave(name, newest, lost.resolve(name), random);
    }
  }

  /** The file at one of the moments up to {@code newest}, mostly a late one. */
  private void leave(String name, int newest, Path to, Random random) throws IOException {
    int moment = Math.min(newest, random.nextInt(newest + 4));
    byte @Nullable [] bytes = random.nextInt(12) == 0 ? null : moments.get(moment).get(name);
    if (bytes == null) {
      return;
    }
    byte[] later = moments.get(newest).getOrDefault(name, bytes);
    boolean cut = name.endsWith(".csv") && later.length > bytes.length && random.nextBoolean();
    Files.createDirectories(to.getParent());
    Files.write(to, cut ? Arrays.copyOf(later, random.nextInt(bytes.length, later.length)) : bytes);
  }
}
