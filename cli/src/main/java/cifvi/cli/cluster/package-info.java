/**
 * Work on other machines as the commands see it: what is behind it, Apache Spark, is a module that
 * the launcher adds where {@code --master} is given.
 */
@org.jspecify.annotations.NullMarked
package cifvi.cli.cluster;
