/** Programs to begin with: copy one, and put a density of your own in its place. */
@org.jspecify.annotations.NullMarked
package cifvi.examples;
