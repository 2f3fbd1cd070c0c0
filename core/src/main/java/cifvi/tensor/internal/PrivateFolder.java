package cifvi.tensor.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A folder that only this user can have filled: code is loaded from no other. Made with mode 0700;
 * one that is there must belong to the user, and others must not be able to write to it, nor to
 * what is in it where they can look inside, nor to take a folder above it away.
 *
 * <p>Where files have lists of access rights instead of modes, as on Windows, {@link AccessList}
 * tells who can write, to the folder alone: what is in it has its rights from there.
 *
 * <p>Users who can become this one, or root, are beyond what a folder can keep out.
 */
public final class PrivateFolder {
  private static final int OTHERS = 0077;
  private static final int OTHERS_WRITE = 0022;
  private static final int ALL_WRITE = 0002;
  private static final int STICKY = 01000;

  private PrivateFolder() {}

  /**
   * Its real path, after it was made or checked.
   *
   * @param another how to name another folder, for the message
   * @throws SecurityException with the folder, what is wrong with it and what helps
   */
  public static Path require(Path folder, String another) {
    if (!folder.isAbsolute()) {
      throw refused(folder, "is no absolute path", another);
    }
    try {
      make(folder, another);
      Path real = folder.toRealPath();
      if (!hasModes(real)) {
        AccessList.strangers(real).stream()
            .findFirst()
            .ifPresent(
                other -> {
                  throw refused(
                      real,
                      "can be written to by " + other + ", and code is loaded from it",
                      another);
                });
        return real;
      }
      requireMode(real, another);
      requirePlace(real, another);
      requireOwner(real, another);
      if ((mode(real) & OTHERS) != 0) {
        Files.walkFileTree(real, new Content(another));
      }
      return real;
    } catch (IOException e) {
      throw refused(folder, "cannot be used: " + reason(e), another);
    } catch (UnsupportedOperationException _) {
      throw refused(folder, "is where files have no owners", another);
    }
  }

  /** What others can look at; files may vanish meanwhile, since other processes start, too. */
  private static final class Content extends SimpleFileVisitor<Path> {
    private final String another;

    Content(String another) {
      this.another = another;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
        throws IOException {
      return visitFile(path, attributes);
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
      try {
        requireMode(path, another);
        return FileVisitResult.CONTINUE;
      } catch (NoSuchFileException e) {
        return visitFileFailed(path, e);
      }
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }

  private static void make(Path folder, String another) throws IOException {
    for (Path above = folder; above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        if (!Files.isDirectory(above)) {
          throw refused(folder, "cannot be made: " + above + " is not a folder", another);
        }
        break;
      }
    }
    try {
      if (hasModes(folder)) {
        var mine =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(folder, mine);
      } else {
        Files.createDirectories(folder); // with the rights of the user's profile
      }
    } catch (IOException e) {
      throw refused(folder, "cannot be made: " + reason(e), another);
    }
  }

  private static boolean hasModes(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  /** What is in reach of others is not to be trusted, even if nobody was there yet. */
  private static void requireMode(Path path, String another) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return; // has no mode of its own
    }
    if ((mode(path) & OTHERS_WRITE) != 0) {
      throw refused(
          path,
          "can be written to by others, and code is loaded from it: remove it, or where you know"
              + " what it holds chmod -R go-w "
              + path,
          "or " + another);
    }
  }

  private static void requirePlace(Path path, String another) throws IOException {
    for (Path above = path.getParent(); above != null; above = above.getParent()) {
      if ((mode(above) & (ALL_WRITE | STICKY)) == ALL_WRITE) {
        throw refused(
            path,
            "can be replaced by others, who can write to " + above + ": chmod o-w " + above,
            "or " + another);
      }
    }
  }

  /** The owner of a file made in it tells who we are for this file system. */
  private static void requireOwner(Path folder, String another) throws IOException {
    Path probe;
    try {
      probe = Files.createTempFile(folder, ".mine", "");
    } catch (IOException e) {
      throw refused(folder, "cannot be written to: " + reason(e), another);
    }
    try {
      if (!Files.getAttribute(folder, "unix:uid").equals(Files.getAttribute(probe, "unix:uid"))) {
        throw refused(
            folder,
            "belongs to " + Files.getOwner(folder).getName() + ", and code is loaded from it",
            another);
      }
    } finally {
      Files.delete(probe);
    }
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode");
  }

  private static String reason(IOException e) {
    return e instanceof AccessDeniedException ? "permission denied" : e.toString();
  }

  private static SecurityException refused(Path folder, String problem, String remedy) {
    return new SecurityException(folder + " " + problem + "; " + remedy);
  }
}
