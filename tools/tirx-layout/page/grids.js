'use strict';
// The logical index and the places of a layout as grids of rows and columns.
const grids = (() => {
  /** Points that are walked to learn what each physical cell holds. */
  const MAX_POINTS = 2 ** 22;
  /** Cells that are looked up in a flat table; above, in a map. */
  const MAX_TABLE = 2 ** 24;

  function split(value, extents) {
    const digits = new Array(extents.length);
    for (let i = extents.length - 1; i >= 0; --i) {
      digits[i] = value % extents[i];
      value = Math.floor(value / extents[i]);
    }
    return digits;
  }

  class LogicalGrid {
    constructor(data) {
      Object.assign(this, data.logical);
      this.shape = data.shape;
      this.size = data.shape.reduce((a, b) => a * b, 1);
      this.inner = this.wrapped ? [] : [this.split > 1 ? this.shape[this.split - 1] : 0,
        this.shape.length - this.split > 1 ? this.shape[this.shape.length - 1] : 0];
    }
    index(flat) { return split(flat, this.shape); }
    flatAt(row, column) {
      const flat = row * this.columns + column;
      return flat < this.size ? flat : -1;
    }
    cellOf(flat) { return [Math.floor(flat / this.columns), flat % this.columns]; }
    rowLabel(row) {
      return this.wrapped ? String(row * this.columns) : split(row, this.shape.slice(0, this.split)).join();
    }
    columnLabel(column) {
      return this.wrapped ? String(column) : split(column, this.shape.slice(this.split)).join();
    }
  }

  class PhysicalGrid {
    constructor(layout, size) {
      Object.assign(this, layout.physical);
      this.layout = layout;
      this.size = size;
      const last = axes => axes.length > 1 ? axes[axes.length - 1][2] - axes[axes.length - 1][1] + 1 : 0;
      this.inner = [last(this.rowAxes), last(this.columnAxes)];
    }
    cellOf(point) {
      const join = axes => axes.reduce((value, [axis, min, max]) => value * (max - min + 1) + point[axis] - min, 0);
      if (!this.fold) return [join(this.rowAxes), join(this.columnAxes)];
      const m = point[this.layout.memory], row = Math.floor(m / this.fold);
      return [row - this.firstRow, m - row * this.fold];
    }
    label(value, axes) {
      return split(value, axes.map(([, min, max]) => max - min + 1)).map((digit, i) => digit + axes[i][1]).join();
    }
    rowLabel(row) { return this.fold ? String((row + this.firstRow) * this.fold) : this.label(row, this.rowAxes); }
    columnLabel(column) { return this.fold ? String(column) : this.label(column, this.columnAxes); }

    /** Builds the table from cells to their elements on first use. */
    contents() {
      if (this.heads) return this;
      const copies = evaluate.image(this.layout, 0).length;
      const walked = Math.min(this.size, Math.floor(MAX_POINTS / copies));
      const cells = this.rows * this.columns;
      this.partial = walked < this.size;
      this.walked = walked;
      this.heads = cells <= MAX_TABLE ? new Int32Array(cells).fill(-1) : new Map();
      this.flats = new Float64Array(walked * copies);
      this.next = new Int32Array(walked * copies);
      this.isBase = new Uint8Array(walked * copies);
      let entry = 0;
      // Backwards, so that the chains have the first element first.
      for (let flat = walked - 1; flat >= 0; --flat) {
        const base = this.keyOf(this.cellOf(evaluate.apply(this.layout, flat)));
        for (const point of copies > 1 ? evaluate.image(this.layout, flat) : [null])
          this.insert(point ? this.keyOf(this.cellOf(point)) : base, flat, base, entry++);
      }
      return this;
    }
    keyOf([row, column]) { return row * this.columns + column; }
    insert(key, flat, base, entry) {
      this.flats[entry] = flat;
      this.isBase[entry] = key === base ? 1 : 0;
      this.next[entry] = this.head(key);
      if (this.heads instanceof Map) this.heads.set(key, entry);
      else this.heads[key] = entry;
    }
    head(key) {
      const entry = this.heads instanceof Map ? this.heads.get(key) : this.heads[key];
      return entry === undefined ? -1 : entry;
    }
    /** The first entry at a cell, or -1; `flats`, `isBase` and `next` tell more. */
    entryAt(row, column) { return this.contents().head(this.keyOf([row, column])); }
    elementsAt(row, column, limit) {
      const elements = [];
      let count = 0;
      for (let entry = this.entryAt(row, column); entry >= 0; entry = this.next[entry], ++count)
        if (count < limit) elements.push(this.flats[entry]);
      return {elements, count};
    }
  }

  return {LogicalGrid, PhysicalGrid, split};
})();
