/**
 * Where a fit begins, and in which coordinates it goes on: local normals along quasi-Newton ascents
 * of log p, chosen by their bound and not by log p, after Pathfinder (Zhang, Carpenter, Gelman
 * &amp; Vehtari, JMLR 2022), and the modes that ascents from several points end in.
 */
@org.jspecify.annotations.NullMarked
package cifvi.start.internal;
