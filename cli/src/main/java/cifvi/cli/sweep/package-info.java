/** Many runs as processes of their own: {@code cifvi sweep}, planned, run and shown. */
@org.jspecify.annotations.NullMarked
package cifvi.cli.sweep;
