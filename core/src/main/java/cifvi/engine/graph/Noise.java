package cifvi.engine.graph;

import cifvi.tensor.Rng;

/** The noise of one step or evaluation, written to where a program reads it. */
@FunctionalInterface
interface Noise {
  /** The stream of the base; that of layer i is i + 1. */
  int BASE_STREAM = 0;

  /** Fills every region with the standard normals of its stream. */
  void fill(NoiseRegions regions);

  /** The noise of any generator; where it is captured, one launch for all streams. */
  static Noise of(Rng rng) {
    return regions -> {
      if (rng instanceof DeviceRng device && device.captured()) {
        device.fill(regions);
      } else {
        regions.regions().forEach(region -> copy(rng, regions, region));
      }
    };
  }

  private static void copy(Rng rng, NoiseRegions regions, NoiseRegions.Region region) {
    Rng own = region.stream() == BASE_STREAM ? rng : rng.layer(region.stream() - 1);
    regions.part(region).copy_(own.normal(regions.rows(), region.columns()));
  }
}
