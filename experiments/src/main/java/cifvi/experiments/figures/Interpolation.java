package cifvi.experiments.figures;

import java.util.List;

/**
 * The straight way in z from a posterior draw of one image to one of another.
 *
 * @param means of x given z, from the one to the other in equal steps
 */
public record Interpolation(GreyImage from, List<GreyImage> means, GreyImage to) {}
