package cifvi.experiments.data;

import cifvi.experiments.files.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Both parts of a data set. */
public record ImageData(DataSet set, ImageSet train, ImageSet test) {
  /** Reads and checks the four files in {@code dataDir/SET}. */
  public static ImageData load(DataSet set, Path dataDir) {
    Path folder = dataDir.resolve(set.toString());
    String fetch = DataDirectory.fetchCommand(set, dataDir);
    var paths = new ArrayList<Path>();
    var missing = new ArrayList<String>();
    for (DataFile file : set.files()) {
      DataDirectory.find(folder, file)
          .ifPresentOrElse(paths::add, () -> missing.add(file.compressedName()));
    }
    if (!missing.isEmpty()) {
      throw new UserException(
          "%s is not in %s, which lacks %s: get it with: %s"
              .formatted(set.title(), folder, String.join(", ", missing), fetch));
    }
    var parts = new ArrayList<Idx>();
    for (int i = 0; i < paths.size(); i++) {
      try {
        parts.add(set.files().get(i).read(paths.get(i)));
      } catch (BadFileException e) {
        throw new UserException(
            "%s %s%nget it again with: %s".formatted(paths.get(i), e.problem(), fetch), e);
      }
    }
    return new ImageData(set, part(parts.subList(0, 2)), part(parts.subList(2, 4)));
  }

  private static ImageSet part(List<Idx> imagesAndLabels) {
    Idx images = imagesAndLabels.getFirst();
    List<Integer> sizes = images.dimensions();
    byte[] labels = imagesAndLabels.getLast().data();
    return new ImageSet(images.data(), labels, sizes.get(0), sizes.get(1), sizes.get(2));
  }
}
