package cifvi.tensor.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.AclEntry;
import java.nio.file.attribute.AclEntryPermission;
import java.nio.file.attribute.AclEntryType;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who can write to a folder on Windows, by its list of access rights. */
final class AccessList {
  private static final Set<AclEntryPermission> WRITES =
      Collections.unmodifiableSet(
          EnumSet.of(
              AclEntryPermission.WRITE_DATA, // adds files to a folder
              AclEntryPermission.APPEND_DATA, // adds folders to it
              AclEntryPermission.DELETE_CHILD,
              AclEntryPermission.DELETE,
              AclEntryPermission.WRITE_ACL,
              AclEntryPermission.WRITE_OWNER));

  private AccessList() {}

  /** Those who can write to a folder of the user's, but not to the user's home. */
  static List<String> strangers(Path folder) throws IOException {
    var trusted = new HashSet<>(writers(Path.of(System.getProperty("user.home"))));
    Path probe = Files.createTempFile(folder, ".mine", "");
    try {
      trusted.add(Files.getOwner(probe)); // of an administrator it may be the group
    } finally {
      Files.delete(probe);
    }
    return strangers(writers(folder), trusted);
  }

  /** Who is not trusted: who can write to the home of a user can do all that the user can. */
  static List<String> strangers(Set<UserPrincipal> writers, Set<UserPrincipal> trusted) {
    return writers.stream()
        .filter(who -> !trusted.contains(who))
        .map(UserPrincipal::getName)
        .toList();
  }

  private static Set<UserPrincipal> writers(Path folder) throws IOException {
    var view = Files.getFileAttributeView(folder, AclFileAttributeView.class);
    if (view == null) {
      throw new UnsupportedOperationException("no list of access rights");
    }
    return writers(view.getAcl(), view.getOwner());
  }

  /**
   * The owner and those whom a list allows to write. What only files in the folder inherit counts,
   * and refusals do not: a list that is meant well needs none.
   */
  static Set<UserPrincipal> writers(List<AclEntry> list, UserPrincipal owner) {
    var writers = new LinkedHashSet<UserPrincipal>(List.of(owner));
    list.stream()
        .filter(entry -> entry.type() == AclEntryType.ALLOW)
        .filter(entry -> !Collections.disjoint(entry.permissions(), WRITES))
        .forEach(entry -> writers.add(entry.principal()));
    return writers;
  }
}
