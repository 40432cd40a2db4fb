"use strict";
// The panes of a kernel. A place, "file:line", names a line of the source; lines that
// share a place belong together. Only the rows that can be seen are in the document.
const ROW = 18, EXTRA = 20;
const data = JSON.parse(document.getElementById("data").textContent);
document.title = data.title + " – TIRx";
document.getElementById("title").textContent = data.title;

const placesOf = (flat) => {
  const places = [];
  for (let i = 0; i < flat.length; i += 2) places.push(flat[i] + ":" + flat[i + 1]);
  return places;
};
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const remarks = new Map();
for (const remark of data.remarks) {
  const place = placesOf(remark.place)[0];
  if (!remarks.has(place)) remarks.set(place, []);
  remarks.get(place).push(remark);
}

// A remark stands beside its source line and beside the tile op of that line.
function remarksOf(pane, line) {
  if (pane.data.file === undefined && pane.data.name !== "tile IR") return [];
  const places = pane.places[line];
  return places.length ? remarks.get(places[0]) || [] : [];
}

class Pane {
  constructor(content) {
    this.data = content;
    this.places = content.origins.map(placesOf);
    this.linesOf = new Map();
    this.places.forEach((places, line) => places.forEach((place) => {
      if (!this.linesOf.has(place)) this.linesOf.set(place, []);
      this.linesOf.get(place).push(line);
    }));
    this.marked = new Set();
    this.chosen = -1;
    this.build();
  }

  build() {
    this.root = make("section", "pane");
    this.root.dataset.name = this.data.name;
    const head = make("h2", "", this.data.name);
    head.title = this.data.name;
    head.append(make("small", "", this.data.lines.length + " lines"));
    const body = make("div", "body");
    this.scroll = make("div", "scroll");
    this.scroll.tabIndex = 0;
    this.space = make("div", "space");
    this.window = make("div", "window");
    this.space.style.height = this.data.lines.length * ROW + "px";
    this.scroll.append(this.space, this.window);
    this.strip = make("canvas", "strip");
    body.append(this.scroll, this.strip);
    this.root.append(head, body);
    this.scroll.addEventListener("scroll", () => this.draw());
    this.window.addEventListener("click", (event) => this.click(event));
    this.strip.addEventListener("click", (event) => this.show(
      Math.floor(event.offsetY / this.strip.clientHeight * this.data.lines.length)));
  }

  draw() {
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW) - EXTRA);
    const last = Math.min(this.data.lines.length,
      Math.ceil((this.scroll.scrollTop + this.scroll.clientHeight) / ROW) + EXTRA);
    const rows = document.createDocumentFragment();
    for (let line = first; line < last; ++line) rows.append(this.row(line));
    this.window.style.top = first * ROW + "px";
    this.window.replaceChildren(rows);
  }

  row(line) {
    const row = make("div", "row");
    row.dataset.line = line;
    row.classList.toggle("known", this.places[line].length > 0);
    row.classList.toggle("marked", this.marked.has(line));
    row.classList.toggle("chosen", this.chosen === line);
    row.append(make("span", "number", line + 1));
    if (remarksOf(this, line).length) row.append(this.badge("dispatch", "D"));
    if (this.data.pictures[line]) row.append(this.badge("layout", "L"));
    row.append(this.data.lines[line]);
    return row;
  }

  badge(kind, letter) {
    const badge = make("button", "badge", letter);
    badge.dataset.kind = kind;
    badge.title = kind;
    return badge;
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const line = Number(row.dataset.line);
    const kind = event.target.dataset.kind;
    if (kind === "dispatch") showRemarks(remarksOf(this, line));
    else if (kind === "layout") showPictures(this.data.pictures[line]);
    else if (this.places[line].length) choose(this, line);
  }

  mark(places, keep) {
    this.marked = new Set(places.flatMap((place) => this.linesOf.get(place) || []));
    this.chosen = -1;
    if (!keep && this.marked.size) this.show(Math.min(...this.marked));
    this.draw();
    this.drawStrip();
  }

  // Scrolls only if the line cannot be seen.
  show(line) {
    const top = line * ROW, height = this.scroll.clientHeight;
    if (top < this.scroll.scrollTop + ROW || top > this.scroll.scrollTop + height - 3 * ROW)
      this.scroll.scrollTop = Math.max(0, top - height / 3);
  }

  drawStrip() {
    const width = 10, height = this.strip.clientHeight;
    this.strip.width = width;
    this.strip.height = height;
    const context = this.strip.getContext("2d");
    context.fillStyle = getComputedStyle(document.body).getPropertyValue("--chosen");
    const scale = height / Math.max(1, this.data.lines.length);
    for (const line of this.marked) context.fillRect(1, line * scale, width - 2, Math.max(2, scale));
  }
}

const panes = data.panes.map((content) => new Pane(content));

function choose(pane, line) {
  const places = pane.places[line];
  for (const other of panes) other.mark(places, other === pane);
  pane.chosen = line;
  pane.draw();
  const counts = panes.filter((other) => other !== pane)
    .map((other) => `${other.data.name.split("/").pop()} ${other.marked.size}`);
  document.getElementById("status").textContent = "lines marked: " + counts.join(", ");
}

const details = document.getElementById("details"), content = document.getElementById("content");
document.getElementById("close").addEventListener("click", () => { details.hidden = true; });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") details.hidden = true; });

function showRemarks(list) {
  content.replaceChildren();
  for (const remark of list) {
    content.append(make("h3", "", remark.message));
    const notes = make("ul");
    for (const note of remark.notes) notes.append(make("li", "", note));
    if (remark.notes.length) content.append(notes);
  }
  details.hidden = false;
}

function showPictures(numbers) {
  content.replaceChildren();
  for (const number of numbers) {
    content.append(make("h3", "", data.pictures[number].title));
    const picture = make("img", "picture"); // its styles stay its own
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(data.pictures[number].svg);
    picture.alt = data.pictures[number].title;
    content.append(picture);
  }
  details.hidden = false;
}

const tabs = document.getElementById("tabs");
for (const pane of panes) {
  document.getElementById("panes").append(pane.root);
  const tab = make("button", "", pane.data.name.split("/").pop());
  tab.title = pane.data.name;
  tab.setAttribute("aria-pressed", "true");
  tab.addEventListener("click", () => {
    pane.root.hidden = !pane.root.hidden;
    tab.setAttribute("aria-pressed", String(!pane.root.hidden));
    redraw();
  });
  tabs.append(tab);
}
function redraw() {
  for (const pane of panes) { pane.draw(); pane.drawStrip(); }
}
addEventListener("resize", redraw);
redraw();
