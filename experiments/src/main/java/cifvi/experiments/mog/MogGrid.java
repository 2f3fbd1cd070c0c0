package cifvi.experiments.mog;

import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.MogSpec.Flow;
import cifvi.experiments.run.NamedObjective;
import cifvi.posterior.Placement;
import cifvi.vi.Estimate;
import cifvi.vi.Moments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The grids of runs behind the paper's mixture figures and tables: every cell in both placements,
 * several seeds.
 */
public record MogGrid(List<MogSpec> specs) {
  /** What varies between the groups of a grid; the runs of a group differ in their seed. */
  public record Group(Flow model, Placement placement, int components, Sigma0 sigma0) {
    static Group of(MogSpec spec) {
      return new Group(spec.model(), spec.placement(), spec.components(), spec.sigma0());
    }

    /** {@code cif-nsf released}, or just {@code nsf}. */
    public String label() {
      return model.cif() ? model + " " + placement : model.toString();
    }
  }

  /** Figures 2 to 5: K = 9 and σ₀ in {0.1, 1, 10}. */
  public static MogGrid figure2(long steps, int seeds) {
    return grid(9, List.of("0.1", "1", "10"), steps, seeds);
  }

  /** K = 16 with learnt σ₀. */
  public static MogGrid k16(long steps, int seeds) {
    return grid(16, List.of("learn"), steps, seeds);
  }

  /** The same runs on another device. */
  public MogGrid on(String device) {
    return new MogGrid(specs.stream().map(spec -> spec.on(device)).toList());
  }

  private static MogGrid grid(int components, List<String> sigmas, long steps, int seeds) {
    var specs = new ArrayList<MogSpec>();
    for (String sigma0 : sigmas) {
      for (long seed = 1; seed <= seeds; seed++) {
        var sigma = Sigma0.parse(sigma0);
        specs.add(MogSpec.paper(Flow.CIF_NSF, Placement.RELEASED, components, sigma, steps, seed));
        specs.add(MogSpec.paper(Flow.CIF_NSF, Placement.PAPER, components, sigma, steps, seed));
        specs.add(MogSpec.paper(Flow.NSF, Placement.PAPER, components, sigma, steps, seed));
      }
    }
    return new MogGrid(List.copyOf(specs));
  }

  /**
   * The folder of a run, after what varies: {@code cif-nsf-released-k9-sigma0.1-steps20000-seed1}.
   */
  public static String directory(MogSpec spec) {
    String placement = spec.model().cif() ? "-" + spec.placement() : "";
    return "%s%s-k%d-sigma%s%s-steps%d-seed%d"
        .formatted(
            spec.model(),
            placement,
            spec.components(),
            spec.sigma0(),
            training(spec),
            spec.steps(),
            spec.seed());
  }

  /** What is not as in the paper, to tell runs apart. */
  private static String training(MogSpec spec) {
    String r = spec.r() == MogModel.R.NORMAL ? "" : "-r-" + spec.r();
    String objective =
        spec.objective().equals(NamedObjective.ELBO)
            ? ""
            : "-" + spec.objective().toString().replace(':', '-');
    String warmUp = spec.warmUp() == null ? "" : "-warm-up" + spec.warmUp();
    return r + objective + warmUp + (spec.initFrom() == null ? "" : "-init-from");
  }

  /** The specs by group. */
  public SequencedMap<Group, List<MogSpec>> groups() {
    var groups = new LinkedHashMap<Group, List<MogSpec>>();
    specs.forEach(spec -> groups.computeIfAbsent(Group.of(spec), _ -> new ArrayList<>()).add(spec));
    return groups;
  }

  /** Mean and standard error over seeds of the marginal ELBO. */
  public static Estimate marginalElbo(List<MogResult> results) {
    var moments = new Moments();
    results.forEach(result -> moments.add(result.marginalElbo()));
    return moments.estimate();
  }

  /** The run in the middle of its group: what the paper calls the average case. */
  public static MogResult averageCase(List<MogResult> results) {
    var sorted = new ArrayList<>(results);
    sorted.sort((a, b) -> Double.compare(a.marginalElbo(), b.marginalElbo()));
    return sorted.get(sorted.size() / 2);
  }
}
