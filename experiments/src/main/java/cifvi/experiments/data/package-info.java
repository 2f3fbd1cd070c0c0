/**
 * The images of paper section 4.2: MNIST and Fashion-MNIST read from IDX files and fetched with
 * checksums, the split for each seed, the order of each epoch, and dynamic binarisation. Every draw
 * has an address, so none depends on how images are batched.
 */
@org.jspecify.annotations.NullMarked
package cifvi.experiments.data;
