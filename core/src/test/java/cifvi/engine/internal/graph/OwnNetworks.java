package cifvi.engine.internal.graph;

import cifvi.distribution.ConditionalNormal;
import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.posterior.CifLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;

/** A user's own r and target, which libtorch runs. */
record OwnNetworks(Case known) implements Case {
  @Override
  public Model build(Backend backend, long seed) {
    Model model = known.build(backend, seed);
    List<Layer> layers = new ArrayList<>(model.posterior().layers());
    layers.replaceAll(layer -> layer instanceof CifLayer cif ? ownR(cif) : layer);
    return new Model(
        new Posterior(model.posterior().base(), layers),
        (_, z) -> z.mul(z).sum(1).neg(),
        model.parameters());
  }

  private static CifLayer ownR(CifLayer cif) {
    var r = (ConditionalNormal) cif.r();
    return new CifLayer(
        cif.G(), cif.q(), new ConditionalNormal((w, x) -> r.network().apply(w.sin(), x)));
  }

  @Override
  public Observation x(Backend backend, int rows) {
    return known.x(backend, rows);
  }
}
