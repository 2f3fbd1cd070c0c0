/** JMH benchmarks of single operations; whole training steps are timed by {@code cifvi bench}. */
@org.jspecify.annotations.NullMarked
package cifvi.bench;
