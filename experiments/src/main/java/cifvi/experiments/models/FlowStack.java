package cifvi.experiments.models;

import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects the layers of a posterior; layer i has its parameters under {@code layers.i}. */
final class FlowStack {
  /** Makes a bijection with its parameters in the given place. */
  interface Part {
    Bijection build(Parameters parameters);
  }

  /** Makes an indexed layer around g with its parameters in the given place. */
  interface Indexed {
    CifLayer build(Bijection g, Parameters parameters);
  }

  private final Parameters parameters;
  private final List<Layer> layers = new ArrayList<>();

  FlowStack(Parameters parameters) {
    this.parameters = parameters.in("layers");
  }

  /** Plain layers, one a part. */
  void flow(Part... parts) {
    Arrays.stream(parts).forEach(part -> layers.add(new FlowLayer(part.build(next()))));
  }

  /** The parts as one step of a CIF: with the affine after all of them, or before them. */
  void cif(Placement placement, Indexed indexed, Part... parts) {
    Parameters here = next();
    switch (placement) {
      case PAPER -> {
        var g = new Chain(Arrays.stream(parts).map(part -> part.build(here)).toList());
        layers.add(indexed.build(g, here));
      }
      case RELEASED -> {
        layers.add(indexed.build(Chain.IDENTITY, here));
        flow(parts);
      }
    }
  }

  List<Layer> layers() {
    return layers;
  }

  private Parameters next() {
    return parameters.in(Integer.toString(layers.size()));
  }
}
