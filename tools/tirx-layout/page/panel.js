'use strict';
// A grid on a canvas: only the cells in view are drawn, so its size does not
// matter. A second canvas above carries what follows the pointer.
const RULER = {left: 52, top: 22};
const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

class Panel {
  /**
   * `source` has `rows`, `columns`, `inner`, `rowLabel`, `columnLabel` and
   * `cell(row, column)`, which gives null for no element or
   * {colour, alpha, text()}.
   */
  constructor(stage, source, events) {
    this.stage = stage;
    this.source = source;
    this.events = events;
    [this.base, this.overlay] = ['cells', 'marks'].map(name => {
      const canvas = document.createElement('canvas');
      canvas.className = name;
      stage.append(canvas);
      return canvas;
    });
    stage.tabIndex = 0;
    this.marks = [];
    this.moved = false;
    this.listen();
    new ResizeObserver(() => this.resize()).observe(stage);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.stage.clientWidth;
    this.height = this.stage.clientHeight;
    for (const canvas of [this.base, this.overlay]) {
      canvas.width = Math.max(1, Math.round(this.width * ratio));
      canvas.height = Math.max(1, Math.round(this.height * ratio));
      canvas.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    if (!this.moved) this.fit();
    this.draw();
  }

  /**
   * The height of a cell, at most 40 pixels, with which a grid fits a box, and
   * its width as a multiple: texts want wide cells, long grids any shape.
   */
  static measure(source, width, height) {
    const wide = Math.max(1, width - RULER.left - 6) / source.columns;
    const high = Math.min(40, Math.max(1, height - RULER.top - 6) / source.rows);
    const aspect = Math.min(high < 8 ? 4 : 2.2, Math.max(0.6, wide / high));
    return {aspect, cell: Math.min(high, wide / aspect)};
  }

  /** Shows the whole grid. */
  fit() {
    Object.assign(this, Panel.measure(this.source, this.width, this.height));
    this.left = RULER.left;
    this.top = RULER.top;
    this.moved = false;
  }

  get cellWidth() { return this.cell * this.aspect; }

  zoom(factor, x, y) {
    const column = (x - this.left) / this.cellWidth, row = (y - this.top) / this.cell;
    const least = Math.min(1, (this.height - RULER.top) / this.source.rows / 2,
      (this.width - RULER.left) / this.source.columns / this.aspect / 2);
    this.cell = Math.min(80, Math.max(least, this.cell * factor));
    this.left = x - column * this.cellWidth;
    this.top = y - row * this.cell;
    this.moved = true;
    this.clamp();
    this.draw();
  }

  pan(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.moved = true;
    this.clamp();
    this.draw();
  }

  /** Keeps a piece of the grid in view. */
  clamp() {
    const keep = 40;
    const clampTo = (at, extent, from, to) => Math.min(to - keep, Math.max(from + keep - extent, at));
    this.left = Math.min(RULER.left, clampTo(this.left, this.source.columns * this.cellWidth, RULER.left, this.width));
    this.top = Math.min(RULER.top, clampTo(this.top, this.source.rows * this.cell, RULER.top, this.height));
  }

  /** Brings a cell into view. */
  reveal(row, column) {
    const x = this.left + column * this.cellWidth, y = this.top + row * this.cell;
    if (x < RULER.left || x + this.cellWidth > this.width) this.left += (this.width + RULER.left) / 2 - x;
    if (y < RULER.top || y + this.cell > this.height) this.top += (this.height + RULER.top) / 2 - y;
    this.clamp();
    this.draw();
  }

  cellAt(x, y) {
    const column = Math.floor((x - this.left) / this.cellWidth), row = Math.floor((y - this.top) / this.cell);
    const inside = x >= RULER.left && y >= RULER.top && row >= 0 && column >= 0 &&
      row < this.source.rows && column < this.source.columns;
    return inside ? [row, column] : null;
  }

  /** The centre of a cell in pixels of the window. */
  centreOf(row, column) {
    const box = this.stage.getBoundingClientRect();
    return [box.left + this.left + (column + 0.5) * this.cellWidth, box.top + this.top + (row + 0.5) * this.cell];
  }

  //--- Drawing ---------------------------------------------------------------

  draw() {
    if (!this.width || this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.drawCells();
      this.drawMarks();
    });
  }

  /** Rows and columns in view. */
  visible() {
    return {
      top: Math.max(0, Math.floor((RULER.top - this.top) / this.cell)),
      bottom: Math.min(this.source.rows, Math.ceil((this.height - this.top) / this.cell)),
      left: Math.max(0, Math.floor((RULER.left - this.left) / this.cellWidth)),
      right: Math.min(this.source.columns, Math.ceil((this.width - this.left) / this.cellWidth)),
    };
  }

  drawCells() {
    const context = this.base.getContext('2d'), theme = readTheme();
    context.clearRect(0, 0, this.width, this.height);
    context.save();
    context.beginPath();
    context.rect(RULER.left, RULER.top, this.width - RULER.left, this.height - RULER.top);
    context.clip();
    const view = this.visible();
    context.fillStyle = theme.void;
    context.fillRect(this.left, this.top, this.source.columns * this.cellWidth, this.source.rows * this.cell);
    const cells = Math.max(0, view.bottom - view.top) * Math.max(0, view.right - view.left);
    if (this.cell < 2 && cells > 40000) this.drawSamples(context, theme, view);
    else this.drawEach(context, theme, view);
    if (this.cell >= 4) this.drawLines(context, theme, view);
    context.restore();
    this.drawRulers(context, theme, view);
  }

  drawEach(context, theme, view) {
    const width = this.cellWidth, height = this.cell, gap = height >= 5 && width >= 5 ? 1 : 0;
    const texts = [], readable = width >= 12 && height >= 10;
    for (let row = view.top; row < view.bottom; ++row)
      for (let column = view.left; column < view.right; ++column) {
        const cell = this.source.cell(row, column);
        if (!cell) continue;
        const x = this.left + column * width, y = this.top + row * height;
        context.globalAlpha = cell.alpha;
        context.fillStyle = theme.colours[cell.colour];
        context.fillRect(x, y, width - gap + (gap ? 0 : 0.5), height - gap + (gap ? 0 : 0.5));
        if (readable) texts.push([cell.text(), x + width / 2, y + height / 2 + 0.5]);
      }
    context.globalAlpha = 1;
    this.drawTexts(context, theme, texts);
  }

  /** In one size in which all fit; none where that is too small to read. */
  drawTexts(context, theme, texts) {
    const longest = texts.reduce((most, [text]) => Math.max(most, text.length), 1);
    const size = Math.min(13, this.cell * 0.6, (this.cellWidth - 3) / (longest * 0.602));
    if (size < 7) return;
    context.font = `${size}px ${MONO}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = theme.ink;
    for (const text of texts) context.fillText(...text);
  }

  /** Cells below a pixel: one sample for each pixel. */
  drawSamples(context, theme, view) {
    const right = Math.min(this.width, this.left + view.right * this.cellWidth);
    const bottom = Math.min(this.height, this.top + view.bottom * this.cell);
    for (let y = Math.max(RULER.top, Math.floor(this.top)); y < bottom; ++y)
      for (let x = Math.max(RULER.left, Math.floor(this.left)); x < right; ++x) {
        const row = Math.floor((y + 0.5 - this.top) / this.cell), column = Math.floor((x + 0.5 - this.left) / this.cellWidth);
        if (row < 0 || column < 0 || row >= this.source.rows || column >= this.source.columns) continue;
        const cell = this.source.cell(row, column);
        if (!cell) continue;
        context.globalAlpha = cell.alpha;
        context.fillStyle = theme.colours[cell.colour];
        context.fillRect(x, y, 1, 1);
      }
    context.globalAlpha = 1;
  }

  /** Lines at the borders of the inner dimension. */
  drawLines(context, theme, view) {
    const [rows, columns] = this.source.inner;
    context.fillStyle = theme.strong;
    if (rows)
      for (let row = Math.ceil(Math.max(1, view.top) / rows) * rows; row < view.bottom; row += rows)
        context.fillRect(this.left, this.top + row * this.cell - 1, this.source.columns * this.cellWidth, 1);
    if (columns)
      for (let column = Math.ceil(Math.max(1, view.left) / columns) * columns; column < view.right; column += columns)
        context.fillRect(this.left + column * this.cellWidth - 1, this.top, 1, this.source.rows * this.cell);
  }

  /** The least power of two of cells that leaves `room` pixels for a label. */
  static step(cell, room) {
    let step = 1;
    while (step * cell < room) step *= 2;
    return step;
  }

  drawRulers(context, theme, view) {
    context.font = `10.5px ${MONO}`;
    context.fillStyle = theme.quiet;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    const down = Panel.step(this.cell, 14);
    for (let row = Math.ceil(view.top / down) * down; row < view.bottom; row += down) {
      const y = this.top + (row + 0.5) * this.cell;
      if (y + this.cell / 2 > RULER.top) context.fillText(this.source.rowLabel(row), RULER.left - 6, Math.max(y, RULER.top + 6), RULER.left - 8);
    }
    context.textAlign = 'center';
    const longest = Math.max(3, this.source.columnLabel(this.source.columns - 1).length);
    const across = Panel.step(this.cellWidth, longest * 6.6 + 6);
    for (let column = Math.ceil(view.left / across) * across; column < view.right; column += across) {
      const x = this.left + (column + 0.5) * this.cellWidth;
      if (x > RULER.left) context.fillText(this.source.columnLabel(column), Math.max(x, RULER.left + 4), RULER.top - 9);
    }
  }

  /** Outlines `marks`, a list of [row, column]; the cell under the pointer twice as thick. */
  setMarks(marks, focus) {
    this.marks = marks;
    this.focus = focus;
    this.drawMarks();
  }

  drawMarks() {
    const context = this.overlay.getContext('2d'), theme = readTheme();
    context.clearRect(0, 0, this.width, this.height);
    if (!this.width) return;
    context.save();
    context.beginPath();
    context.rect(RULER.left - 3, RULER.top - 3, this.width, this.height);
    context.clip();
    const mark = ([row, column], line) => {
      const width = Math.max(4, this.cellWidth), height = Math.max(4, this.cell);
      const x = this.left + (column + 0.5) * this.cellWidth - width / 2, y = this.top + (row + 0.5) * this.cell - height / 2;
      context.lineWidth = line;
      context.strokeStyle = theme.accent;
      context.strokeRect(x - 0.5, y - 0.5, width, height);
    };
    for (const cell of this.marks) mark(cell, 2);
    if (this.focus) mark(this.focus, 2.5);
    context.restore();
  }

  //--- Pointer and keys ------------------------------------------------------

  listen() {
    let drag = null;
    const at = event => {
      const box = this.stage.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.stage.addEventListener('wheel', event => {
      event.preventDefault();
      if (event.shiftKey) this.pan(-event.deltaY - event.deltaX, 0);
      else this.zoom(Math.exp(-event.deltaY * 0.0018), ...at(event));
    }, {passive: false});
    this.stage.addEventListener('pointerdown', event => {
      drag = {x: event.clientX, y: event.clientY, far: false};
      this.stage.setPointerCapture(event.pointerId);
    });
    this.stage.addEventListener('pointermove', event => {
      if (drag) {
        const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
        if (!drag.far && Math.hypot(dx, dy) < 4) return;
        drag = {x: event.clientX, y: event.clientY, far: true};
        this.pan(dx, dy);
        return;
      }
      this.events.hover(this, this.cellAt(...at(event)), event.clientX, event.clientY);
    });
    this.stage.addEventListener('pointerup', event => {
      if (drag && !drag.far) this.events.pin(this, this.cellAt(...at(event)), event.clientX, event.clientY);
      drag = null;
    });
    this.stage.addEventListener('pointerleave', () => this.events.leave());
    this.stage.addEventListener('dblclick', () => { this.fit(); this.draw(); });
    this.stage.addEventListener('keydown', event => this.onKey(event));
  }

  onKey(event) {
    const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
    const middle = [(this.width + RULER.left) / 2, (this.height + RULER.top) / 2];
    if (steps[event.key]) {
      const [row, column] = this.focus || [0, 0], [down, right] = this.focus ? steps[event.key] : [0, 0];
      const next = [Math.min(this.source.rows - 1, Math.max(0, row + down)),
        Math.min(this.source.columns - 1, Math.max(0, column + right))];
      this.reveal(...next);
      this.events.hover(this, next, ...this.centreOf(...next), true);
    } else if (event.key === '+' || event.key === '=') this.zoom(1.3, ...middle);
    else if (event.key === '-') this.zoom(1 / 1.3, ...middle);
    else if (event.key === '0') { this.fit(); this.draw(); }
    else return;
    event.preventDefault();
  }
}

let themeCache = null;
/** The palette's colours as the style sheets give them. */
function readTheme() {
  if (themeCache) return themeCache;
  const style = getComputedStyle(document.documentElement);
  const get = name => style.getPropertyValue('--' + name).trim();
  themeCache = {colours: Array.from({length: 32}, (_, i) => get('c' + i))};
  for (const name of ['ink', 'quiet', 'line', 'strong', 'void', 'accent']) themeCache[name] = get(name);
  return themeCache;
}
function dropTheme() { themeCache = null; }
