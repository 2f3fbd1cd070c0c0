package cifvi.cli.cluster;

import java.nio.file.Path;

/** A folder with the same path everywhere: on this machine's disk for itself, or on NFS. */
record LocalWorkspace(Path folder) implements Workspace {
  LocalWorkspace {
    folder = folder.toAbsolutePath().normalize();
  }

  @Override
  public String address() {
    return folder.toString();
  }
}
