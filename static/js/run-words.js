// Texts of the page of a run, filled in as the server would.

/**
 * @param {string} words
 * @param {Record<string, string | number>} values
 */
export function fill(words, values) {
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A time that a person waits. @param {number} s */
export function seconds(s) {
  return `${s < 10 ? s.toFixed(1) : s.toFixed(0)} s`;
}

/** A moment in a trace. @param {number} us */
export function moment(us) {
  if (us < 1000) return `${us.toPrecision(3)} µs`;
  if (us < 1e6) return `${Number((us / 1e3).toPrecision(3))} ms`;
  return `${Number((us / 1e6).toPrecision(3))} s`;
}
