/**
 * The image experiment, paper section 4.2: learning a decoder together with every inference model
 * of Table 1.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.images;
