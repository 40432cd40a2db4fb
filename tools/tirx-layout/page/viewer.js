'use strict';
// The page: its panels, the choice of colours, and what is said of a cell.
const viewer = (() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const logical = new grids.LogicalGrid(data);
  for (const layout of data.layouts) layout.grid = new grids.PhysicalGrid(layout, logical.size);
  const paired = data.layouts.length > 1;
  const element = id => document.getElementById(id);
  const tip = element('tip');
  let panels = [], colour = null, pinned = false;

  function make(tag, attributes, ...children) {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  }

  //--- Colours ---------------------------------------------------------------

  /** Numbers that a cell can be coloured by: of the flat index and a point. */
  function colourings() {
    const layout = data.layouts[0], list = [];
    const add = (name, number, count) => list.push({name, number, count});
    const axisSpan = name => {
      const axes = [...layout.physical.rowAxes, ...layout.physical.columnAxes];
      const [, min, max] = axes.find(([axis]) => layout.axes[axis] === name);
      return max - min + 1;
    };
    addLanes(add);
    addChunks(data.layouts.find(({swizzle}) => swizzle), add);
    add('logical row', flat => Math.floor(flat / logical.columns), logical.rows);
    add('logical column', flat => flat % logical.columns, logical.columns);
    if (data.bits && layout.memory >= 0)
      add('bank', (flat, point, of) => of.memory < 0 ? 0 : bankOf(point[of.memory]), 32);
    for (const name of layout.axes)
      add(name, (flat, point, of) => of.axes.includes(name) ? point[of.axes.indexOf(name)] : 0, axisSpan(name));
    return list;
  }

  /** Who accesses an element, and with which of its accesses. */
  function addLanes(add) {
    if (!data.accesses.length) return;
    const {threads, vector} = data.accesses[0];
    const lane = ['laneid', 'tid_in_wg', 'tx'].map(name => threads.axes.indexOf(name)).find(axis => axis >= 0);
    const register = threads.axes.includes('m') ? threads.memory : threads.axes.indexOf('reg');
    if (lane !== undefined) add('lane of the access', flat => evaluate.apply(threads, flat)[lane] % 32, 32);
    if (register >= 0) add('instruction', flat => Math.floor(evaluate.apply(threads, flat)[register] / vector), 32);
  }

  /** Pieces that a swizzle moves as a whole, by their place in front of it. */
  function addChunks(layout, add) {
    if (!layout) return;
    const {perElement, outer} = layout.swizzle, length = 2 ** perElement;
    if (!outer && length > 1)
      add(`chunk of ${length}`, (flat, point, of) => Math.floor(evaluate.linear(layout, flat) / length), 32);
  }

  const bankOf = m => Math.floor(Math.floor(m * data.bits / 8) / 4) % 32;
  const shade = number => ((number % 32) + 32) % 32;

  /** Threads where the layout has them, else a swizzle's chunks, else rows. */
  const defaultColouring = list => list.find(({name}) => name === data.colourBy) || list[0];

  //--- Cells -----------------------------------------------------------------

  /** Whether two layouts are shown which agree on an element. */
  const isSame = flat => paired && !evaluate.differs(data.layouts[0], data.layouts[1], flat);
  const shortPoint = point => point.length ? point.join() : '-';

  function logicalSource(layout) {
    return {
      rows: logical.rows, columns: logical.columns, inner: logical.inner.map(n => n || 0),
      rowLabel: row => logical.rowLabel(row), columnLabel: column => logical.columnLabel(column),
      cell(row, column) {
        const flat = logical.flatAt(row, column);
        if (flat < 0) return null;
        const point = evaluate.apply(layout, flat);
        return {
          colour: shade(colour.number(flat, point, layout)), text: () => shortPoint(point),
          alpha: isSame(flat) ? 0.25 : 1,
        };
      },
      elements(row, column) {
        const flat = logical.flatAt(row, column);
        return {elements: flat < 0 ? [] : [flat], count: flat < 0 ? 0 : 1};
      },
      cellsOf: flat => [logical.cellOf(flat)],
    };
  }

  /** The copy of an element that a physical cell holds. */
  function pointAt(layout, flat, row, column) {
    const image = evaluate.image(layout, flat);
    if (image.length === 1) return image[0];
    return image.find(point => {
      const [r, c] = layout.grid.cellOf(point);
      return r === row && c === column;
    });
  }

  function physicalSource(layout) {
    const grid = layout.grid;
    return {
      rows: grid.rows, columns: grid.columns, inner: grid.inner,
      rowLabel: row => grid.rowLabel(row), columnLabel: column => grid.columnLabel(column),
      cell(row, column) {
        const entry = grid.entryAt(row, column);
        if (entry < 0) return null;
        const flat = grid.flats[entry];
        return {
          colour: shade(colour.number(flat, pointAt(layout, flat, row, column), layout)),
          text: () => logical.index(flat).join() + (grid.next[entry] >= 0 ? '+' : ''),
          alpha: isSame(flat) ? 0.25 : grid.isBase[entry] ? 1 : 0.5,
        };
      },
      elements: (row, column) => grid.elementsAt(row, column, 64),
      cellsOf: flat => evaluate.image(layout, flat).map(point => grid.cellOf(point)),
    };
  }

  //--- What is said of an element --------------------------------------------

  function describePoint(layout, point) {
    let text = layout.axes.map((name, i) => `${name} ${point[i]}`).join(', ');
    if (!data.bits) return text;
    if (layout.memory >= 0) {
      const byte = Math.trunc(point[layout.memory] * data.bits / 8);
      text += `, byte ${byte}, bank ${Math.trunc(byte / 4) % 32}`;
    }
    const column = layout.axes.indexOf('TCol');
    if (column >= 0) {
      const bits = point[column] * data.bits;
      text += `, column ${Math.trunc(bits / 32)}, bit ${bits % 32}`;
    }
    return text;
  }

  /** The same steps as `tirx-layout eval --explain` prints. */
  function explain(layout, flat) {
    const digits = evaluate.digits(layout.shard, flat);
    const terms = layout.shard.map(([, stride, axis], i) => `${digits[i]}*${stride}@${layout.axes[axis]}`)
      .concat(layout.offset.map(([value, axis]) => `${value}@${layout.axes[axis]}`));
    const lines = [['index', `(${logical.index(flat).join(', ')})`], ['flat', String(flat)]];
    if (digits.length) lines.push(['digits', `${digits.join(', ')} of ${layout.shard.map(([extent]) => extent).join(', ')}`]);
    lines.push(['terms', terms.join(' + ') || '0']);
    if (layout.swizzle) lines.push(['linear', `m ${evaluate.linear(layout, flat)}`]);
    lines.push(['base', describePoint(layout, evaluate.apply(layout, flat))]);
    const copies = evaluate.image(layout, flat);
    if (copies.length > 1)
      for (const point of copies) lines.push(['copy', describePoint(layout, point)]);
    return lines;
  }

  /** At most 12 copies, so that the box stays on the screen. */
  function shorten(lines) {
    const limit = 18;
    return lines.length <= limit ? lines : [...lines.slice(0, limit), ['', `and ${lines.length - limit} more`]];
  }

  function fillTip(panel, [row, column], {elements, count}) {
    tip.replaceChildren();
    const add = (name, text, kind) => tip.append(make('div', {className: kind || ''}, make('b', {}, name), make('span', {}, text)));
    if (!count) {
      add('cell', `${panel.source.rowLabel(row)} by ${panel.source.columnLabel(column)}: no element`);
      return;
    }
    const flat = elements[0];
    data.layouts.forEach((layout, i) => {
      if (i) tip.append(make('hr'));
      const differs = paired && evaluate.differs(data.layouts[0], data.layouts[1], flat);
      if (paired) add(layout.name, layout.text);
      for (const [name, text] of shorten(explain(layout, flat).slice(i ? 2 : 0)))
        add(name, text, differs && (name === 'base' || name === 'copy') ? 'differs' : '');
    });
    if (count > 1) {
      const others = elements.slice(1, 9).map(other => `(${logical.index(other).join(', ')})`).join(' ');
      add('shared', `${count} elements are here, also ${others}${count > 9 ? ' ...' : ''}`);
    }
  }

  function placeTip(x, y) {
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = x + 18 + box.width > innerWidth ? x - 18 - box.width : x + 18;
    const top = y + 18 + box.height > innerHeight ? y - 18 - box.height : y + 18;
    tip.style.left = Math.max(4, left) + 'px';
    tip.style.top = Math.max(4, top) + 'px';
  }

  //--- Events ----------------------------------------------------------------

  function clear() {
    pinned = false;
    tip.hidden = true;
    for (const panel of panels) panel.setMarks(panel.resting, null);
  }

  function select(panel, cell, x, y) {
    if (!cell) return clear();
    const found = panel.source.elements(...cell);
    for (const other of panels)
      other.setMarks(found.elements.flatMap(flat => other.source.cellsOf(flat)), other === panel ? cell : null);
    fillTip(panel, cell, found);
    placeTip(x, y);
  }

  const events = {
    hover(panel, cell, x, y, byKey) {
      if (pinned && !byKey) return;
      select(panel, cell, x, y);
    },
    pin(panel, cell, x, y) {
      const wasPinned = pinned;
      select(panel, cell, x, y);
      pinned = !wasPinned && cell !== null;
    },
    leave() { if (!pinned) clear(); },
  };

  //--- The page --------------------------------------------------------------

  function addSubject(layout) {
    const title = make('h1', {className: 'mono'});
    if (paired) title.append(make('span', {className: 'tag'}, layout.name));
    title.append(layout.text);
    const facts = make('p', {className: 'facts'}, ...layout.facts.map(fact => make('span', {}, fact)));
    element('subjects').append(make('div', {className: 'subject'}, title,
      make('pre', {className: 'formula mono'}, layout.formula.join('\n')), facts));
  }

  /** The cells of a panel that are marked while nothing else is: the worst conflict. */
  function restingMarks(source, access) {
    return access ? access.worst.flatMap(flat => source.cellsOf(flat)) : [];
  }

  function addPanel(title, note, source, access) {
    const stage = make('div', {className: 'stage'});
    const heading = make('h2', {}, title, make('small', {}, note));
    document.querySelector('main').append(make('section', {className: 'panel'}, heading, stage));
    const panel = new Panel(stage, source, events);
    panel.resting = restingMarks(source, access);
    panel.setMarks(panel.resting, null);
    panels.push(panel);
    return heading;
  }

  function drawLegend() {
    const legend = element('legend'), shown = Math.min(8, colour.count);
    legend.replaceChildren(`colour: ${colour.name}`);
    for (let i = 0; i < shown; ++i) {
      const swatch = make('i');
      swatch.style.background = `var(--c${i})`;
      legend.append(make('span', {}, swatch, String(i)));
    }
    if (colour.count > 8) legend.append(make('span', {}, colour.count > 32 ? '... repeating after 32' : `... ${colour.count - 1}`));
    if (data.layouts.some(layout => layout.replica.length)) legend.append(make('span', {}, 'pale: a further copy'));
    if (data.accesses.some(({worst}) => worst.length)) legend.append(make('span', {}, 'outlined: the worst bank conflict'));
    if (paired) legend.append(make('span', {}, 'faded: the same in A and B'));
  }

  function redraw() {
    dropTheme();
    drawLegend();
    for (const panel of panels) panel.draw();
  }

  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    redraw();
  }

  function start() {
    data.layouts.forEach(addSubject);
    element('verdict').textContent = data.verdict || '';
    const list = colourings(), menu = element('colour');
    colour = defaultColouring(list);
    list.forEach((entry, i) => menu.append(make('option', {value: String(i), selected: entry === colour}, entry.name)));
    menu.addEventListener('change', () => { colour = list[menu.value]; redraw(); });
    element('theme').addEventListener('click', toggleTheme);
    element('reset').addEventListener('click', () => { clear(); for (const panel of panels) { panel.fit(); panel.draw(); } });
    document.addEventListener('keydown', event => { if (event.key === 'Escape') clear(); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
    const first = data.layouts[0];
    addPanel('Logical', `${data.shape.join(' × ')}, cells: ${first.axes.join(', ') || 'no axis'}${paired ? ' of A' : ''}`, logicalSource(first), data.accesses[0]);
    data.layouts.forEach((layout, i) => {
      const heading = addPanel(paired ? `Physical, ${layout.name}` : 'Physical', `${layout.grid.title}, cells: index`, physicalSource(layout), data.accesses[i]);
      layout.grid.contents();
      if (layout.grid.partial) heading.append(make('small', {}, `first ${layout.grid.walked} elements`));
    });
    drawLegend();
    arrange();
    addEventListener('resize', arrange);
  }

  /** Side by side or one below the other, whichever gives larger cells. */
  function arrange() {
    const main = document.querySelector('main'), n = panels.length, heading = 40;
    const least = (width, height) => Math.min(...panels.map(({source}) => {
      const {cell, aspect} = Panel.measure(source, width, height - heading);
      return cell * Math.min(1, aspect);
    }));
    const stacked = least(main.clientWidth, main.clientHeight / n) > 1.2 * least(main.clientWidth / n, main.clientHeight);
    main.classList.toggle('stacked', stacked);
  }

  start();
  return {data, logical, explain, panels, colourings};
})();
