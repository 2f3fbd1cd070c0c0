package cifvi.cli.report;

import java.util.List;

/** What runs of one kind put on the page; everything else is the same for all kinds. */
public interface Contents {
  List<RunFiles> runs();

  /** Short names of the runs. */
  List<String> labels();

  /** What the runs are about. */
  String subject();

  /** What is compared, and which run did best. */
  String overview();

  /** Settings that tell no runs apart. */
  List<String> unsaid();

  /** What one run did. */
  String finding(int run);

  /** What sets one run apart from what a run should be, in words without its numbers. */
  List<String> oddities(int run);

  /** The sections with numbers, curves and figures, as HTML. */
  String sections();
}
