package cifvi.cli.report;

import cifvi.experiments.machine.Provenance;
import java.util.Map;

/** What every page has around its content: head, style and footer. */
public final class Frame {
  private Frame() {}

  /** A whole page: the template filled with pieces, in the frame. */
  public static String around(String title, String template, Map<String, String> pieces) {
    return around(title, "", template, pieces);
  }

  /** The same with something in the head, such as an order to load the page again. */
  public static String around(
      String title, String head, String template, Map<String, String> pieces) {
    return Template.fill(
        Template.resource("frame.html"),
        Map.of(
            "head", head,
            "title", Html.escape(title),
            "css", Template.resource("report.css"),
            "body", Template.fill(Template.resource(template), pieces).strip(),
            "version", Html.escape(Provenance.VERSION)));
  }
}
