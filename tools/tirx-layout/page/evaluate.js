'use strict';
// Where the elements of a layout are, computed from its iters. All numbers are
// integers below 2^53, which the writer of the page has checked; so there are
// no bitwise operators here, which would cut them to 32 bits.
const evaluate = (() => {
  /** The digits of a flat index by the iters' extents, outermost first. */
  function digits(iters, flat) {
    const result = new Array(iters.length);
    for (let i = iters.length - 1; i >= 0; --i) {
      const extent = iters[i][0];
      result[i] = flat % extent;
      flat = Math.floor(flat / extent);
    }
    return result;
  }

  function addIters(iters, flat, point) {
    for (let i = iters.length - 1; i >= 0; --i) {
      const [extent, stride, axis] = iters[i];
      point[axis] += flat % extent * stride;
      flat = Math.floor(flat / extent);
    }
  }

  /** The field of `width` bits at bit `at`. */
  const field = (value, at, width) => Math.floor(value / 2 ** at) % 2 ** width;

  function swizzle({perElement: p, swizzleLen: b, atomLen: s, outer}, index) {
    const [from, to] = outer ? [p, p + s] : [p + s, p];
    const old = field(index, to, b);
    const changed = (old ^ field(index, from, b)) >>> 0;
    return index + (changed - old) * 2 ** to;
  }

  /** The points of R + O, not yet swizzled. */
  function starts(layout) {
    let count = 1;
    for (const [extent] of layout.replica) count *= extent;
    const points = [];
    for (let r = 0; r < count; ++r) {
      const point = new Array(layout.axes.length).fill(0);
      for (const [value, axis] of layout.offset) point[axis] += value;
      addIters(layout.replica, r, point);
      points.push(point);
    }
    return points;
  }

  function pointFrom(layout, start, flat) {
    const point = start.slice();
    addIters(layout.shard, flat, point);
    if (layout.swizzle) point[layout.memory] = swizzle(layout.swizzle, point[layout.memory]);
    return point;
  }

  /** The tile's address in front of the swizzle. */
  function linear(layout, flat) {
    const point = startsOf(layout)[0].slice();
    addIters(layout.shard, flat, point);
    return point[layout.memory];
  }

  function startsOf(layout) {
    if (!layout.starts) layout.starts = starts(layout);
    return layout.starts;
  }

  /** The base coordinates of an element, one for each axis of the layout. */
  const apply = (layout, flat) => pointFrom(layout, startsOf(layout)[0], flat);

  function compare(a, b) {
    for (let i = 0; i < a.length; ++i)
      if (a[i] !== b[i]) return a[i] - b[i];
    return 0;
  }

  /** All copies of an element, distinct, sorted by the first axis first. */
  function image(layout, flat) {
    if (startsOf(layout).length === 1) return [apply(layout, flat)];
    const points = startsOf(layout).map(start => pointFrom(layout, start, flat)).sort(compare);
    return points.filter((point, i) => i === 0 || compare(point, points[i - 1]) !== 0);
  }

  /** Whether two layouts map an element to different sets of points. */
  function differs(a, b, flat) {
    const first = image(a, flat), second = image(b, flat);
    if (first.length !== second.length) return true;
    const names = [...new Set([...a.axes, ...b.axes])];
    const keys = (layout, points) => points.map(point => names.map(name => {
      const axis = layout.axes.indexOf(name);
      return axis < 0 ? 0 : point[axis];
    }).join()).sort();
    const left = keys(a, first), right = keys(b, second);
    return left.some((key, i) => key !== right[i]);
  }

  return {digits, swizzle, linear, apply, image, differs};
})();
if (typeof module !== 'undefined') module.exports = evaluate;
