"use strict";
// Sorts a table by the column whose name is clicked; a second click turns the order round.
(() => {
  function key(row, column) {
    const cell = row.cells[column];
    if (cell === undefined || cell.colSpan > 1) return undefined;
    const value = cell.dataset.value;
    return value === undefined ? cell.textContent.trim() : Number(value);
  }

  // Numbers before words, words as people order them, rows without a value last.
  function compare(a, b, down) {
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    const sign = down ? -1 : 1;
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return sign * a.localeCompare(b, "en", { numeric: true });
  }

  function sort(head) {
    const down = head.getAttribute("aria-sort") === "ascending";
    const body = head.closest("table").tBodies[0];
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const column = head.cellIndex;
    body.append(...[...body.rows].sort((a, b) => compare(key(a, column), key(b, column), down)));
  }

  for (const button of document.querySelectorAll(".sortable thead button")) {
    button.addEventListener("click", () => sort(button.parentNode));
  }
})();
