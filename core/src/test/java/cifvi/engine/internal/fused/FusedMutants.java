package cifvi.engine.internal.fused;

import static cifvi.engine.internal.fused.Mutant.Part.INPUT_GRADIENT;
import static cifvi.engine.internal.fused.Mutant.Part.INVERSE;
import static cifvi.engine.internal.fused.Mutant.Part.INVERSE_LOG_WEIGHT;
import static cifvi.engine.internal.fused.Mutant.Part.LOG_WEIGHT;
import static cifvi.engine.internal.fused.Mutant.Part.OUTPUT;
import static cifvi.engine.internal.fused.Mutant.Part.PARAMETER_GRADIENT;

import cifvi.engine.internal.fused.Mutant.Part;
import cifvi.engine.internal.fused.Mutant.Range;
import cifvi.engine.internal.fused.decoder.DoublingConv;
import cifvi.engine.internal.fused.decoder.LargeDecoderKernel;
import cifvi.engine.internal.fused.decoder.PictureStart;
import cifvi.engine.internal.fused.decoder.PlainConv;
import cifvi.engine.internal.fused.decoder.PointConv;
import cifvi.engine.internal.fused.decoder.SmallDecoderKernel;
import cifvi.engine.internal.fused.kernel.AffineKernel;
import cifvi.engine.internal.fused.kernel.AuxiliaryKernel;
import cifvi.engine.internal.fused.kernel.BatchNormKernel;
import cifvi.engine.internal.fused.kernel.ConvEncoderKernel;
import cifvi.engine.internal.fused.kernel.DataRowsKernel;
import cifvi.engine.internal.fused.kernel.EncodedBaseKernel;
import cifvi.engine.internal.fused.kernel.HostScoreKernel;
import cifvi.engine.internal.fused.kernel.IndexKernel;
import cifvi.engine.internal.fused.kernel.Kernel;
import cifvi.engine.internal.fused.kernel.LinearKernel;
import cifvi.engine.internal.fused.kernel.LuKernel;
import cifvi.engine.internal.fused.kernel.MaskedAffineKernel;
import cifvi.engine.internal.fused.kernel.MixtureKernel;
import cifvi.engine.internal.fused.kernel.MlpKernel;
import cifvi.engine.internal.fused.kernel.NormalBaseKernel;
import cifvi.engine.internal.fused.kernel.PermutationKernel;
import cifvi.engine.internal.fused.kernel.ResidualMadeKernel;
import cifvi.engine.internal.fused.kernel.SharedEncoder;
import cifvi.engine.internal.fused.kernel.SinhArcsinhKernel;
import cifvi.engine.internal.fused.kernel.SplineFlowKernel;
import cifvi.engine.internal.fused.kernel.TermKernel;
import cifvi.engine.internal.fused.math.StridedConv;
import cifvi.engine.internal.fused.math.TransposedConv;
import cifvi.nn.FlatParameters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Every kind of kernel and of network inside kernels, and what of it can be wrong. */
final class FusedMutants {
  private static final Map<Class<? extends Kernel>, Set<Part>> KERNELS =
      Map.ofEntries(
          kernel(
              NormalBaseKernel.class, OUTPUT, LOG_WEIGHT, PARAMETER_GRADIENT, INVERSE_LOG_WEIGHT),
          kernel(
              EncodedBaseKernel.class, OUTPUT, LOG_WEIGHT, PARAMETER_GRADIENT, INVERSE_LOG_WEIGHT),
          kernel(DataRowsKernel.class, OUTPUT),
          kernel(IndexKernel.class, OUTPUT, INPUT_GRADIENT, PARAMETER_GRADIENT, INVERSE_LOG_WEIGHT),
          kernel(AuxiliaryKernel.class, LOG_WEIGHT, INPUT_GRADIENT, PARAMETER_GRADIENT, INVERSE),
          kernel(AffineKernel.class, Part.values()),
          kernel(MaskedAffineKernel.class, Part.values()),
          kernel(SplineFlowKernel.class, Part.values()),
          kernel(LuKernel.class, Part.values()),
          kernel(SinhArcsinhKernel.class, Part.values()),
          kernel(BatchNormKernel.class, Part.values()),
          kernel(PermutationKernel.class, OUTPUT, INPUT_GRADIENT, INVERSE),
          kernel(MixtureKernel.class, LOG_WEIGHT, INPUT_GRADIENT),
          kernel(HostScoreKernel.class, LOG_WEIGHT, INPUT_GRADIENT),
          kernel(SmallDecoderKernel.class, LOG_WEIGHT, INPUT_GRADIENT, PARAMETER_GRADIENT),
          kernel(LargeDecoderKernel.class, LOG_WEIGHT, INPUT_GRADIENT, PARAMETER_GRADIENT),
          kernel(TermKernel.class, LOG_WEIGHT, INPUT_GRADIENT));

  /** Networks and convolutions, by parameters that only one of this kind has in the cases. */
  private static final Map<Class<?>, String> NETWORKS =
      Map.ofEntries(
          Map.entry(LinearKernel.class, "layers.0.st.1."),
          Map.entry(MlpKernel.class, "layers.0.q."),
          Map.entry(ResidualMadeKernel.class, "layers.0.made.blocks."),
          Map.entry(StridedConv.class, "encoder.conv."),
          Map.entry(ConvEncoderKernel.class, "layers.0.r.convnet."),
          Map.entry(TransposedConv.class, "decoder.convt."),
          Map.entry(SharedEncoder.class, "encoder.fc."),
          Map.entry(PictureStart.class, "large.initial."),
          Map.entry(PlainConv.class, "large.block2.conv1."),
          Map.entry(DoublingConv.class, "large.block1.shortcut."),
          Map.entry(PointConv.class, "large.final."));

  private FusedMutants() {}

  private static Map.Entry<Class<? extends Kernel>, Set<Part>> kernel(
      Class<? extends Kernel> kind, Part... parts) {
    return Map.entry(kind, EnumSet.copyOf(List.of(parts)));
  }

  /**
   * A mutant.
   *
   * @param training what it makes of the schedule that trains a model
   * @param evaluation what it makes of the one that evaluates it
   */
  record Fused(Class<?> kind, String what, Change training, Change evaluation) {
    static final Change NONE = (schedule, _) -> schedule;

    /** Wrong in both schedules. */
    static Fused of(Class<?> kind, String what, Change change) {
      return new Fused(kind, what, change, change);
    }
  }

  /** From a sound schedule of a model with these parameters to a mutant. */
  interface Change {
    KernelSchedule apply(KernelSchedule schedule, FlatParameters parameters);
  }

  static List<Fused> all() {
    List<Fused> mutants = new ArrayList<>();
    KERNELS.forEach(
        (kind, parts) ->
            parts.forEach(
                part ->
                    mutants.add(
                        Fused.of(
                            kind,
                            part.name(),
                            (schedule, _) ->
                                Mutant.of(schedule, kind::isInstance, part, Range.ALL)))));
    NETWORKS.forEach(
        (kind, prefix) -> {
          Change output = (schedule, flat) -> output(schedule, flat, prefix);
          if (kind == SharedEncoder.class) { // which these cases have in evaluation alone
            mutants.add(new Fused(kind, "output", Fused.NONE, output));
          } else {
            mutants.add(Fused.of(kind, "output", output));
            mutants.add(Fused.of(kind, "gradient", (p, flat) -> gradient(p, flat, prefix)));
          }
        });
    return mutants;
  }

  private static KernelSchedule gradient(
      KernelSchedule schedule, FlatParameters flat, String prefix) {
    KernelSchedule mutant = schedule;
    for (Range range : ranges(flat, prefix).toList()) {
      mutant = Mutant.of(mutant, _ -> true, PARAMETER_GRADIENT, range);
    }
    return mutant;
  }

  /** The linear maps of a network are off where the copies of their weights are. */
  private static KernelSchedule output(
      KernelSchedule schedule, FlatParameters flat, String prefix) {
    schedule
        .layout()
        .preparations
        .addFirst(
            () ->
                ranges(flat, prefix)
                    .forEach(range -> Mutant.spoil(schedule.weights().values, range)));
    return schedule;
  }

  private static Stream<Range> ranges(FlatParameters flat, String prefix) {
    return flat.slices().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .map(Map.Entry::getValue)
        .map(slice -> new Range(slice.offset(), slice.offset() + slice.count()));
  }
}
