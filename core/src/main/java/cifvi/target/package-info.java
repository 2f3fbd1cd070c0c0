/** What is approximated: unnormalised joint log-densities log p(x, z). */
@org.jspecify.annotations.NullMarked
package cifvi.target;
