/** The oracle: steps by libtorch's autograd, one operation after the other. */
@org.jspecify.annotations.NullMarked
package cifvi.engine.eager;
