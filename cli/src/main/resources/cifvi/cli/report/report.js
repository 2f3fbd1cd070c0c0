"use strict";
// Shows, for the step under the pointer, the ELBO of every run; the page reads well without it.
(() => {
  const chart = document.getElementById("chart");
  const data = JSON.parse(document.getElementById("curves").textContent);
  const plot = chart.querySelector(".plot");
  const cursor = chart.querySelector(".cursor");
  const heading = chart.querySelector(".at");
  const outputs = [...chart.querySelectorAll("output")];
  const atRest = { heading: heading.textContent, values: outputs.map(o => o.textContent) };
  const minus = text => text.replace("-", "\u2212");
  let step = data.last;

  function nearest(steps, wanted) {
    let low = 0;
    let high = steps.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (steps[middle] <= wanted) low = middle; else high = middle;
    }
    return Math.abs(steps[high] - wanted) < Math.abs(steps[low] - wanted) ? high : low;
  }

  function valueAt(run) {
    const { steps, elbo } = run;
    if (steps.length === 0) return "no " + data.unit + " yet";
    const slack = steps.length > 1 ? steps[1] - steps[0] : 1;
    return step > steps[steps.length - 1] + slack / 2 ? "ended" : minus(elbo[nearest(steps, step)].toFixed(3));
  }

  function show(wanted) {
    step = Math.max(data.first, Math.min(data.last, Math.round(wanted)));
    cursor.hidden = false;
    cursor.style.left = 100 * (step - data.first) / (data.last - data.first) + "%";
    heading.textContent = data.value + " at " + data.unit + " " + step.toLocaleString("en");
    outputs.forEach((output, i) => { output.textContent = valueAt(data.runs[i]); });
  }

  function rest() {
    cursor.hidden = true;
    heading.textContent = atRest.heading;
    outputs.forEach((output, i) => { output.textContent = atRest.values[i]; });
  }

  function follow(event) {
    const box = plot.getBoundingClientRect();
    show(data.first + (event.clientX - box.left) / box.width * (data.last - data.first));
  }

  plot.addEventListener("pointerdown", follow);
  plot.addEventListener("pointermove", follow);
  plot.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") rest(); });
  plot.addEventListener("blur", rest);
  plot.addEventListener("keydown", event => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    show(step + by * Math.max(1, data.last / 100));
  });
})();
