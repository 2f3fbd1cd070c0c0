/**
 * What commands ask about a run of any kind: how it is shown, evaluated and reported. A new kind is
 * one more {@link cifvi.cli.kind.RunKind}.
 */
@org.jspecify.annotations.NullMarked
package cifvi.cli.kind;
