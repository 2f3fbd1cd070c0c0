package cifvi.tensor.internal;

import static java.nio.file.attribute.AclEntryPermission.DELETE_CHILD;
import static java.nio.file.attribute.AclEntryPermission.READ_DATA;
import static java.nio.file.attribute.AclEntryPermission.WRITE_ACL;
import static java.nio.file.attribute.AclEntryPermission.WRITE_DATA;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.attribute.AclEntry;
import java.nio.file.attribute.AclEntryPermission;
import java.nio.file.attribute.AclEntryType;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Strangers to the user's home who can write to a folder are found in lists made up here. */
class AccessListTest {
  private record Who(String getName) implements UserPrincipal {}

  private static final Who USER = new Who("user");
  private static final Who SYSTEM = new Who("system");
  private static final Who OTHER = new Who("other");

  private static final Set<UserPrincipal> TRUSTED = Set.of(USER, SYSTEM);

  @Test
  void theUserAndWhoRulesTheirHomeAreNone() {
    assertThat(strangers(USER, allow(USER, WRITE_DATA), allow(SYSTEM, WRITE_DATA))).isEmpty();
    assertThat(strangers(SYSTEM, allow(USER, WRITE_DATA))).isEmpty();
  }

  @Test
  void whoCanOnlyReadIsNoDanger() {
    assertThat(strangers(USER, allow(OTHER, READ_DATA))).isEmpty();
  }

  @Test
  void whoCanWriteReplaceOrTakeTheRightToIs() {
    for (var permission : List.of(WRITE_DATA, DELETE_CHILD, WRITE_ACL)) {
      assertThat(strangers(USER, allow(OTHER, READ_DATA, permission))).containsExactly("other");
    }
  }

  @Test
  void theOwnerCanAlways() {
    assertThat(strangers(OTHER, allow(USER, WRITE_DATA))).containsExactly("other");
  }

  @Test
  void aRefusalAllowsNothing() {
    assertThat(strangers(USER, entry(AclEntryType.DENY, OTHER, WRITE_DATA))).isEmpty();
  }

  private static List<String> strangers(UserPrincipal owner, AclEntry... list) {
    return AccessList.strangers(AccessList.writers(List.of(list), owner), TRUSTED);
  }

  private static AclEntry allow(UserPrincipal who, AclEntryPermission... permissions) {
    return entry(AclEntryType.ALLOW, who, permissions);
  }

  private static AclEntry entry(
      AclEntryType type, UserPrincipal who, AclEntryPermission... permissions) {
    return AclEntry.newBuilder()
        .setType(type)
        .setPrincipal(who)
        .setPermissions(permissions)
        .build();
  }
}
