package cifvi.spark;

import cifvi.experiments.files.UserException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The master as it was given, checked before Spark spends a minute on it. */
record Masters(String url) {
  private static final int MILLIS = 5_000;
  private static final String EXPECTED =
      "expected local[N], spark://HOST:PORT, yarn or k8s://https://HOST:PORT";

  Masters {
    if (!url.matches("local(\\[.+])?|spark://.+:\\d+|yarn|k8s://.+")) {
      throw new UserException("--master: " + EXPECTED + ", got " + url);
    }
  }

  boolean isLocal() {
    return url.startsWith("local");
  }

  /** Whether the driver need not be seen from other machines. */
  boolean isOnThisMachine() {
    return isLocal()
        || (url.startsWith("spark://") && addresses().stream().allMatch(Masters::isLoopback));
  }

  private static boolean isLoopback(InetSocketAddress address) {
    return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
  }

  /** Refuses a master that does not answer. */
  void requireReachable() {
    if (isLocal()) {
      return;
    }
    if (!url.startsWith("spark://")) {
      requireClient();
    }
    if (url.equals("yarn")) {
      requireHadoop();
      return;
    }
    var problems = new ArrayList<String>();
    for (InetSocketAddress address : addresses()) {
      try (var socket = new Socket()) {
        if (address.isUnresolved()) {
          throw new UnknownHostException("no such host");
        }
        socket.connect(address, MILLIS);
        return;
      } catch (IOException e) {
        problems.add(
            address.getHostString()
                + ":"
                + address.getPort()
                + ": "
                + String.valueOf(e.getMessage()));
      }
    }
    throw new UserException(
        "--master %s: no master answers there (%s): start it, or correct the address"
            .formatted(url, String.join("; ", problems)));
  }

  private void requireClient() {
    String type =
        url.equals("yarn")
            ? "org.apache.spark.deploy.yarn.Client"
            : "org.apache.spark.scheduler.cluster.k8s.KubernetesClusterManager";
    try {
      Class.forName(type, false, Masters.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new UserException(
          "--master %s: this needs a distribution of Spark: set SPARK_HOME to its folder, or use its spark-submit"
              .formatted(url),
          e);
    }
  }

  private static void requireHadoop() {
    if (System.getenv("HADOOP_CONF_DIR") == null && System.getenv("YARN_CONF_DIR") == null) {
      throw new UserException(
          "--master yarn: HADOOP_CONF_DIR must be set to the folder of the cluster's configuration");
    }
  }

  /** One or, for a master with stand-ins, several. */
  private List<InetSocketAddress> addresses() {
    String hosts = url.replaceFirst("^(spark|k8s)://", "");
    if (url.startsWith("k8s://")) {
      URI uri = URI.create(hosts.contains("://") ? hosts : "https://" + hosts);
      int port = uri.getPort() >= 0 ? uri.getPort() : "http".equals(uri.getScheme()) ? 80 : 443;
      return List.of(new InetSocketAddress(String.valueOf(uri.getHost()), port));
    }
    return Arrays.stream(hosts.split(",", -1))
        .map(
            part -> {
              int colon = part.lastIndexOf(':');
              if (colon < 1 || !part.substring(colon + 1).matches("\\d{1,5}")) {
                throw new UserException("--master: " + EXPECTED + ", got " + url);
              }
              return new InetSocketAddress(
                  part.substring(0, colon).replaceAll("[\\[\\]]", ""),
                  Integer.parseInt(part.substring(colon + 1)));
            })
        .toList();
  }

  /** For the driver, where no other machine must see it. */
  static String loopback() {
    return InetAddress.getLoopbackAddress().getHostAddress();
  }
}
