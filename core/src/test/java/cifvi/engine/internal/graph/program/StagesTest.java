package cifvi.engine.internal.graph.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Who reads whose variables across stages. */
class StagesTest {
  private final OpLayout layout = new OpLayout();

  private Variable observed() {
    Variable v = layout.variable(3);
    layout.add(Op.of(OpKind.OBSERVE, List.of(), List.of(v)));
    return v;
  }

  private void read(Variable v) {
    layout.add(Op.of(OpKind.TERM, List.of(v), List.of()));
  }

  private List<OpKind> kinds(int from, int to) {
    return layout.ops().subList(from, to).stream().map(Op::kind).toList();
  }

  /** Each leaves its part of the gradient at a place of its own. */
  @Test
  void everyStageImportsAVariableOnceForItself() {
    Variable v = observed();
    layout.branch();
    read(v);
    read(v);
    layout.branch();
    read(v);
    assertThat(kinds(0, layout.start(1)))
        .containsExactly(OpKind.OBSERVE, OpKind.EXPORT, OpKind.EXPORT);
    assertThat(kinds(layout.start(1), layout.start(2)))
        .containsExactly(OpKind.IMPORT, OpKind.TERM, OpKind.TERM);
    assertThat(kinds(layout.start(2), layout.ops().size()))
        .containsExactly(OpKind.IMPORT, OpKind.TERM);
    var table = OpTable.of(layout, true);
    Variable first = layout.variables.get(1);
    Variable second = layout.variables.get(2);
    assertThat(table.saved()[first.number()]).isEqualTo(table.saved()[second.number()]);
    assertThat(table.gradientSaved()[first.number()])
        .isNotEqualTo(table.gradientSaved()[second.number()]);
  }

  @Test
  void nobodyElseReadsWhatBelongsToABranch() {
    layout.branch();
    Variable v = observed();
    read(v);
    layout.branch();
    assertThatThrownBy(() -> read(v))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("variable 0 of branch 1 cannot be read in stage 2");
  }
}
