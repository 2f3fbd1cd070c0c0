package cifvi.experiments.run;

import cifvi.experiments.files.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;

/** Makes a run one that another machine began. */
public final class BegunElsewhere {
  private BegunElsewhere() {}

  /** Says so in its spec, its provenance and the checkpoints that belong to them. */
  public static void pretend(Path run, String device, String engine, Set<String> growing)
      throws IOException {
    for (String name : List.of(RunSpec.FILE, "provenance.json")) {
      var settings = Texts.tree(Texts.YAML, name, Files.readString(run.resolve(name)));
      settings.put("device", device).put("engine", engine);
      var format = name.endsWith("json") ? Texts.JSON : Texts.YAML;
      Files.writeString(run.resolve(name), format.writeValueAsString(settings));
    }
    String spec = SpecHash.of(Files.readString(run.resolve(RunSpec.FILE)), growing).lasting();
    try (var _ = new PointerScope();
        var files = Files.list(run.resolve("checkpoints"))) {
      for (Path file : files.toList()) {
        var content = CheckpointFile.read(file);
        var metadata = new TreeMap<>(content.metadata());
        metadata.put("spec", spec);
        CheckpointFile.write(file, content.tensors(), metadata);
      }
    }
  }
}
