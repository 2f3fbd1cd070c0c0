package cifvi.cli.plot.canvas;

import java.awt.Color;

/** The colours of what is not data: the paper and what is written on it. */
public enum Ground {
  LIGHT(0xffffff, 0x22262e, 0x6b7280, 0xd5d9e0),

  /** That of the report's dark page. */
  DARK(0x1c1f25, 0xe6e8ec, 0xa0a7b3, 0x3a404b);

  public final Color paper;
  public final Color ink;
  public final Color soft;
  public final Color rule;

  Ground(int paper, int ink, int soft, int rule) {
    this.paper = new Color(paper);
    this.ink = new Color(ink);
    this.soft = new Color(soft);
    this.rule = new Color(rule);
  }
}
