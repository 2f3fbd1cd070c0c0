package cifvi.experiments.figures;

import cifvi.experiments.data.ImageSet;
import java.util.TreeMap;

/** Images that stand for their class in a figure: the first of each class, the second of each … */
final class Examples {
  private Examples() {}

  /**
   * The number of one image of every class, in order of the classes: the one that has {@code
   * before} of its class before it. A class with fewer images is left out.
   */
  static int[] ofEachClass(ImageSet images, int before) {
    var seen = new TreeMap<Integer, Integer>();
    var found = new TreeMap<Integer, Integer>();
    for (int i = 0; i < images.count(); i++) {
      int label = images.labels()[i];
      if (seen.merge(label, 1, Integer::sum) == before + 1) {
        found.put(label, i);
      }
    }
    return found.values().stream().mapToInt(Integer::intValue).toArray();
  }
}
