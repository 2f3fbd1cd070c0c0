package cifvi.spark;

import cifvi.cli.cluster.ClusterOptions;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.deploy.SparkHadoopUtil;

/**
 * The folder of a sweep as workers see it.
 *
 * @param address an absolute path, or a URI
 * @param token a file that the driver has left there
 */
record SharedFolder(String address, String token) implements Serializable {
  /** Where a cell is worked on. */
  interface Place extends AutoCloseable {
    Path path();

    /** Brings what is new to where all see it. */
    default void save() throws IOException {}

    @Override
    default void close() throws IOException {}
  }

  /** This machine does not see the folder. */
  static final class UnseenException extends IOException {
    private static final long serialVersionUID = 1;

    UnseenException(String message) {
      super(message);
    }
  }

  /** The place of a cell on this machine. */
  Place open(String cell) throws IOException {
    requireSeen();
    if (ClusterOptions.isUri(address)) {
      return Staging.open(remote(), cell);
    }
    Path path = Path.of(address).resolve(cell);
    return () -> path;
  }

  /** Makes sure that this is the driver's folder. */
  void requireSeen() throws IOException {
    if (ClusterOptions.isUri(address)) {
      requireRemote();
      return;
    }
    Path folder = Path.of(address);
    if (!Files.exists(folder.resolve(token))) {
      throw new UnseenException(
          "%s does not see the folder %s of the driver: give --out a folder that all machines share, or a URI such as hdfs: or s3a:"
              .formatted(host(), address));
    }
    if (!Files.isWritable(folder)) {
      throw new UnseenException(
          "%s, as user %s, cannot write to %s"
              .formatted(host(), System.getProperty("user.name"), address));
    }
  }

  private RemoteFiles remote() throws IOException {
    return RemoteFiles.at(address, SparkHadoopUtil.get().conf());
  }

  private void requireRemote() throws IOException {
    try {
      if (remote().exists(token)) {
        return;
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new UnseenException(host() + ": " + RemoteFiles.unusable(address, e).getMessage());
    }
    throw new UnseenException(
        "%s finds another folder at %s than the driver does".formatted(host(), address));
  }

  private static String host() throws IOException {
    return "worker " + InetAddress.getLocalHost().getHostName();
  }
}
