package cifvi.experiments.golden;

import cifvi.bijection.Affine;
import cifvi.bijection.Mapped;
import cifvi.distribution.DiagonalNormal;
import cifvi.distribution.Distribution;
import cifvi.distribution.Draw;
import cifvi.distribution.Observation;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.target.BernoulliImageModel;
import cifvi.tensor.Rng;
import cifvi.vi.Model;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Walks through a posterior layer by layer, forwards or backwards, and compares every intermediate
 * number.
 */
record PosteriorWalk(Model model, Comparison comparison) {
  /** From the base to z and on to the terms of log p(x, z). */
  void forward(Observation x, Rng rng) {
    Distribution base = model.posterior().base().given(x);
    Draw w0 = base.sample(rng);
    comparison.output("w0", w0.value());
    comparison.output("log_q_w0", w0.logDensity());
    if (x instanceof Observation.Batch && base instanceof DiagonalNormal normal) {
      comparison.output("encoder_mean", normal.mean());
      comparison.output("encoder_log_std", normal.logStd());
    }
    Tensor w = w0.value();
    Tensor logQ = w0.logDensity();
    List<Layer> layers = model.posterior().layers();
    for (int i = 0; i < layers.size(); i++) {
      String at = "L" + i + ".";
      Mapped next =
          switch (layers.get(i)) {
            case FlowLayer flow -> flow.g().forward(w);
            case CifLayer cif -> {
              var u = index(cif, at, w, x, rng.layer(i));
              logQ = logQ.add(u.logRatio);
              yield u.next;
            }
            default -> throw new IllegalStateException("unknown layer " + layers.get(i));
          };
      comparison.output(at + "out", next.value());
      comparison.output(at + "log_jac", next.logDet());
      logQ = logQ.sub(next.logDet());
      w = next.value();
    }
    comparison.output("z", w);
    comparison.output("log_q_total", logQ);
    comparison.output("log_p", model.target().logJoint(x, w));
    if (x instanceof Observation.Batch batch
        && model.target() instanceof BernoulliImageModel images) {
      Tensor logits = images.decoder().apply(w);
      comparison.output("logits", logits);
      comparison.output("log_p_z", images.logPrior(w));
      comparison.output("log_p_x_given_z", BernoulliImageModel.logLikelihood(batch.x(), logits));
    }
  }

  private record Indexed(Mapped next, Tensor logRatio) {}

  private Indexed index(CifLayer cif, String at, Tensor w, Observation x, Rng rng) {
    var q = (DiagonalNormal) cif.q().given(w, x);
    Draw u = q.sample(rng);
    Affine affine = cif.G().affine(u.value());
    Mapped next = cif.G().at(u.value()).forward(w);
    var r = (DiagonalNormal) cif.r().given(next.value(), x);
    Tensor logR = r.logDensity(u.value());
    comparison.output(at + "q_mean", q.mean());
    comparison.output(at + "q_log_std", q.logStd());
    comparison.output(at + "u", u.value());
    comparison.output(at + "log_q_u", u.logDensity());
    comparison.output(at + "t", affine.t());
    comparison.output(at + "s", affine.s());
    comparison.output(at + "r_mean", r.mean());
    comparison.output(at + "r_log_std", r.logStd());
    comparison.output(at + "log_r_u", logR);
    return new Indexed(next, u.logDensity().sub(logR));
  }

  /** From z to the base. */
  void backward(Tensor z, Observation x, Rng rng) {
    Tensor w = z;
    List<Layer> layers = model.posterior().layers();
    for (int i = layers.size() - 1; i >= 0; i--) {
      String at = "L" + i + ".";
      Mapped previous =
          switch (layers.get(i)) {
            case FlowLayer flow -> flow.g().inverse(w);
            case CifLayer cif -> {
              Draw u = cif.r().given(w, x).sample(rng.layer(i));
              Mapped back = cif.G().at(u.value()).inverse(w);
              comparison.output(at + "u", u.value());
              comparison.output(at + "log_r_u", u.logDensity());
              comparison.output(
                  at + "log_q_u", cif.q().given(back.value(), x).logDensity(u.value()));
              yield back;
            }
            default -> throw new IllegalStateException("unknown layer " + layers.get(i));
          };
      comparison.output(at + "inverse_out", previous.value());
      comparison.output(at + "inverse_log_jac", previous.logDet());
      w = previous.value();
    }
    comparison.output("log_q_w0", model.posterior().base().given(x).logDensity(w));
  }
}
