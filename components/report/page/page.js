// The page: draws the figures and tables of the JSON block. Figures are charts of package
// chart; each kind has one function here that makes options of the chart library of it.
(function () {
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const root = document.documentElement;
const palette = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c6d31', '#7f7f7f', '#6a51a3', '#b2df8a', '#003f63', '#f0e442'];
const ramp = t => t.dark ? ['#7a6bd0', '#5b8fd0', '#2fa7a0', '#6ece58', '#fde725'] : ['#3b0f70', '#5c4d9e', '#35789e', '#1f9e89', '#6ece58', '#f0c808'];
const charts = {}, tables = {};

// ---- numbers ----
const steps = {ns: [['ns', 1], ['us', 1e3], ['ms', 1e6], ['s', 1e9]], B: [['B', 1], ['KB', 1e3], ['MB', 1e6], ['GB', 1e9], ['TB', 1e12]],
  pJ: [['pJ', 1], ['nJ', 1e3], ['uJ', 1e6], ['mJ', 1e9], ['J', 1e12]], s: [['ns', 1e-9], ['us', 1e-6], ['ms', 1e-3], ['s', 1]],
  'B/s': [['B/s', 1], ['KB/s', 1e3], ['MB/s', 1e6], ['GB/s', 1e9], ['TB/s', 1e12]], Hz: [['Hz', 1], ['kHz', 1e3], ['MHz', 1e6], ['GHz', 1e9]]};
function digits(v, n) {
  if (v === 0) return '0';
  const a = Math.abs(v);
  if (a >= 1e15 || a < 1e-4) return v.toExponential(Math.max(0, n - 1)).replace('e+', 'e');
  return Number(v.toPrecision(n)).toLocaleString('en-US', {maximumFractionDigits: 12});
}
function fmt(v, unit, n) {
  if (v === null || v === undefined || v === '' || (typeof v === 'number' && isNaN(v))) return '';
  if (typeof v !== 'number') return String(v);
  n = n || 4;
  const list = steps[unit];
  if (list) {
    let k = 0;
    while (k + 1 < list.length && Math.abs(v) >= list[k + 1][1]) k++;
    return digits(v / list[k][1], n) + ' ' + list[k][0];
  }
  const a = Math.abs(v);
  let s;
  if (a >= 1e4) {
    const p = [['k', 1e3], ['M', 1e6], ['G', 1e9], ['T', 1e12], ['P', 1e15]];
    let k = 0;
    while (k + 1 < p.length && a >= p[k + 1][1]) k++;
    s = digits(v / p[k][1], n) + ' ' + p[k][0];
  } else s = digits(v, n);
  if (!unit || unit === '1') return s;
  return s + ' ' + unit;
}
// Counts have all their digits, others seven.
function exact(v) { return typeof v === 'number' ? v.toLocaleString('en-US', Number.isSafeInteger(v) ? {} : {maximumSignificantDigits: 7}) : (v === null || v === undefined ? '' : String(v)); }
function esc(s) { return String(s).replace(/[&<>"]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]); }
function el(tag, props, ...kids) {
  const e = document.createElement(tag);
  for (const k in props || {}) k === 'text' ? e.textContent = props[k] : k.startsWith('on') ? e.addEventListener(k.slice(2), props[k]) : props[k] !== undefined && e.setAttribute(k, props[k]);
  e.append(...kids.filter(Boolean));
  return e;
}
const axisName = a => a.name ? a.name + (a.unit && a.unit !== '1' && a.name !== a.unit + 's' && !steps[a.unit] ? ' [' + a.unit + ']' : '') : '';

// ---- theme ----
function look(forced) {
  const dark = forced ? forced === 'dark' : root.dataset.theme === 'dark';
  return dark ? {dark, text: '#e4eaf0', dim: '#98a6b4', line: '#33404d', paper: '#161d25', soft: '#1e2731', ink: '#cfd8e1'}
    : {dark, text: '#18222d', dim: '#5a6774', line: '#dfe3e8', paper: '#ffffff', soft: '#eef1f4', ink: '#33404d'};
}
// A dark colour of a series is lifted on a dark page, a pale one lowered on a light one.
function tone(hex, t) {
  const c = [1, 3, 5].map(i => parseInt(hex.substr(i, 2), 16));
  const lum = (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]) / 255;
  if (t.dark && lum < 0.28) return '#' + c.map(v => Math.round(v + (255 - v) * 0.28).toString(16).padStart(2, '0')).join('');
  return hex;
}
const colour = (s, i, t) => tone(s.color || palette[i % palette.length], t);

// ---- texts: how wide they are, and where they find room ----
const family = 'system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif';
const pen = document.createElement('canvas').getContext('2d');
function wide(text, size) { pen.font = size + 'px ' + family; return pen.measureText(text).width; }
function legendNames(c) {
  switch (c.kind) {
    case 'bars': case 'lines': return c.series.length > 1 || (c.stack || c.kind === 'lines') && said(c) ? c.series.map(s => s.name) : [];
    case 'points': return c.series.length > 1 ? c.series.map(s => s.name) : [];
    case 'lanes': return c.slices.kinds.length > 1 ? c.slices.kinds : [];
  }
  return [];
}
// said tells that the name of the only series says more than the axis does.
function said(c) { const n = c.series[0].name; return n && n !== c.y.name && n !== 'all'; }
// A legend takes as many lines as its names need; one of very many is turned over.
const legendLine = 24, mostLines = 8;
function legendLines(c, w) {
  let n = 1, x = 0;
  for (const name of legendNames(c)) {
    const d = 14 + 5 + wide(name, 12) + 10;
    if (x > 0 && x + d > w - 16) { n++; x = 0; }
    x += d;
  }
  return n;
}
const legendExtra = (c, w) => { const n = legendLines(c, w); return n > mostLines ? 0 : (n - 1) * legendLine; };
// options are those of a chart w wide, with room for its legend.
function options(c, t, w, v) {
  const o = kinds[c.kind](c, t, w, v), extra = legendExtra(c, w);
  if (o.legend.show !== false && legendLines(c, w) <= mostLines) {
    o.legend.type = 'plain';
    o.grid.top += extra;
    for (const z of Array.isArray(o.dataZoom) ? o.dataZoom : []) if (typeof z.top === 'number') z.top += extra;
  }
  return o;
}
// placed finds a place for each label of a dot: in the area, over no dot and no other label, and
// over no line where there is room elsewhere. A label without a place is left out.
function placed(area, dots, segments, tags) {
  const boxes = [], out = [];
  const hits = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  const crosses = b => segments.some(s => {
    const n = 12;
    for (let i = 0; i <= n; i++) { const x = b.x + b.w * i / n; if (x >= Math.min(s[0], s[2]) && x <= Math.max(s[0], s[2]) && s[2] !== s[0]) { const y = s[1] + (s[3] - s[1]) * (x - s[0]) / (s[2] - s[0]); if (y >= b.y && y <= b.y + b.h) return true; } }
    return false;
  });
  for (const g of tags) {
    const ways = [];
    for (const far of [3, 12, 24, 40]) for (const [dx, dy] of [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]]) {
      const k = dx && dy ? .75 : 1, gap = g.r + far;
      ways.push({far, x: g.x + dx * gap * k - (dx < 0 ? g.w : dx ? 0 : g.w / 2), y: g.y + dy * gap * k - (dy < 0 ? g.h : dy ? 0 : g.h / 2), w: g.w, h: g.h});
    }
    const free = ways.filter(b => b.x >= area.x && b.y >= area.y && b.x + b.w <= area.x + area.width && b.y + b.h <= area.y + area.height && !boxes.some(o => hits(b, o)) && !dots.some(d => hits(b, {x: d.x - d.r - 1, y: d.y - d.r - 1, w: 2 * d.r + 2, h: 2 * d.r + 2})));
    const best = free.find(b => !crosses(b)) || free[0];
    if (best) { boxes.push(best); out.push(Object.assign({}, g, {box: best})); }
  }
  return out;
}

// ---- options: what all charts share ----
function base(c, t) {
  return {
    animation: false, backgroundColor: 'transparent', aria: {enabled: true}, color: palette.map(p => tone(p, t)),
    textStyle: {color: t.text, fontFamily: family},
    grid: {left: 6, right: 16, top: 40, bottom: 6, outerBoundsMode: 'same', outerBoundsContain: 'all'},
    legend: {type: 'scroll', top: 0, left: 0, right: 0, itemWidth: 14, itemHeight: 10, itemGap: 10, textStyle: {color: t.text, fontSize: 12}, pageTextStyle: {color: t.dim}, pageIconColor: t.dim, pageIconInactiveColor: t.line, inactiveColor: t.dim},
    tooltip: {confine: true, backgroundColor: t.paper, borderColor: t.line, textStyle: {color: t.text, fontSize: 12}, extraCssText: 'max-width:26rem;white-space:normal;box-shadow:0 2px 10px #0003', transitionDuration: 0},
  };
}
function axis(a, t, more) {
  const cat = a.labels && a.labels.length;
  return Object.assign({
    type: cat ? 'category' : a.log ? 'log' : 'value', data: cat ? a.labels : undefined, name: axisName(a), nameLocation: 'middle', nameGap: 24, nameMoveOverlap: true,
    nameTextStyle: {color: t.dim, fontSize: 12}, min: a.min, max: a.max, scale: a.log,
    axisLine: {show: true, lineStyle: {color: t.line}}, axisTick: {show: false}, minorSplitLine: {show: false},
    splitLine: {show: !cat, lineStyle: {color: t.line, width: 1, opacity: t.dark ? 0.7 : 0.8}},
    axisLabel: {color: t.dim, fontSize: 11.5, hideOverlap: true, formatter: cat ? undefined : v => fmt(v, steps[a.unit] ? a.unit : '', 3)},
  }, more);
}
const inside = (more) => Object.assign({type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false, moveOnMouseMove: true, filterMode: 'none'}, more);
const slider = (t, more) => Object.assign({type: 'slider', height: 18, bottom: 2, borderColor: t.line, fillerColor: t.dark ? '#62b0f526' : '#0b62b01c', backgroundColor: 'transparent', handleStyle: {color: t.paper, borderColor: t.dim}, moveHandleStyle: {color: t.line}, textStyle: {color: t.dim, fontSize: 11}, dataBackground: {lineStyle: {opacity: 0}, areaStyle: {opacity: 0}}, selectedDataBackground: {lineStyle: {opacity: 0}, areaStyle: {opacity: 0}}, showDetail: false, filterMode: 'none', brushSelect: false}, more);
const row = (color, name, value) => '<div style="display:flex;gap:.8em;justify-content:space-between"><span>' + (color ? '<span style="display:inline-block;width:.7em;height:.7em;border-radius:2px;background:' + color + ';margin-right:.45em"></span>' : '') + esc(name) + '</span><b style="font-weight:600">' + esc(value) + '</b></div>';
const head = s => '<div style="font-weight:650;margin-bottom:.2em">' + esc(s) + '</div>';

// ---- one function for each kind ----
const kinds = {};

kinds.bars = function (c, t, w, v) {
  const labels = c.x.labels, o = base(c, t), n = labels.length;
  const sums = labels.map((_, i) => c.series.reduce((a, s) => a + (s.y[i] || 0), 0));
  const share = v.share && c.stack;
  const unit = share ? '%' : c.y.unit;
  const at = (s, i) => share ? (sums[i] ? 100 * s.y[i] / sums[i] : 0) : s.y[i];
  const cat = axis(c.x, t, {}), val = axis(share ? {name: 'share', unit: '%', max: 100} : c.y, t, {});
  const log = v.log && !c.stack;
  if (log) { val.type = 'log'; val.min = undefined; }
  if (c.across) {
    cat.inverse = true; cat.name = '';
    const longest = Math.max(...labels.map(l => wide(l, 12)));
    cat.axisLabel = {color: t.text, fontSize: 12, lineHeight: 12, interval: 0};
    const room = Math.min(Math.max(190, w * .34), w * .44);
    if (longest * 1.1 > room) Object.assign(cat.axisLabel, {fontSize: 11, width: room, overflow: 'breakAll'});
    if (sentences(c)) Object.assign(cat.axisLabel, {fontSize: 11, lineHeight: 12, width: w < 600 ? w * .44 : Math.min(360, w * .34), overflow: 'break', interval: 0});
    if (labels.some(l => l.startsWith('\u203a'))) { // a tree: names begin on the left
      cat.axisLabel.align = 'left';
      cat.axisLabel.margin = Math.min(cat.axisLabel.width || Infinity, Math.ceil(Math.max(...labels.map(l => wide(l, cat.axisLabel.fontSize))))) + 8;
    }
    o.yAxis = cat; o.xAxis = val; if (n > 24) { o.dataZoom = [inside({yAxisIndex: 0, end: 100 * 24 / n}), slider(t, {yAxisIndex: 0, width: 16, right: 2, bottom: 30, height: undefined, top: 44, end: 100 * 24 / n})]; o.grid.right = 34; }
  } else {
    cat.axisLabel = Object.assign(cat.axisLabel, {color: t.dim, rotate: n > 8 && Math.max(...labels.map(l => l.length)) * n * 7 > w ? 45 : 0, interval: n > w / 20 ? 'auto' : 0, width: 170, overflow: 'truncate'});
    if (cat.axisLabel.rotate || n > 12) cat.name = '';
    o.xAxis = cat; o.yAxis = val;
    if (n > 12) { o.dataZoom = [inside({xAxisIndex: 0}), slider(t, {xAxisIndex: 0})]; o.grid.bottom = 30; }
  }
  o.series = c.series.map((s, i) => ({
    type: 'bar', name: s.name, stack: c.stack ? 'all' : undefined, barMaxWidth: c.across ? 26 : 44, barGap: '8%', large: false,
    itemStyle: {color: colour(s, i, t), borderRadius: c.stack ? 0 : 2}, data: labels.map((_, k) => log && !(at(s, k) > 0) ? null : at(s, k)), emphasis: {focus: 'series'}, blur: {itemStyle: {opacity: .35}},
  }));
  if (!legendNames(c).length) o.legend.show = false, o.grid.top = 14;
  o.tooltip.trigger = 'axis'; o.tooltip.axisPointer = {type: 'shadow', shadowStyle: {color: t.dark ? '#ffffff10' : '#00000009'}};
  o.tooltip.formatter = list => {
    const i = list[0].dataIndex;
    let h = head(labels[i]);
    c.series.forEach((s, k) => { if (s.y[i]) h += row(colour(s, k, t), s.name, fmt(s.y[i], c.y.unit) + (c.stack && sums[i] ? '  (' + (100 * s.y[i] / sums[i]).toFixed(1) + ' %)' : '')); });
    if (c.stack && c.series.length > 1 && c.y.unit !== '%') h += row('', 'sum', fmt(sums[i], c.y.unit));
    return h;
  };
  return o;
};
// Labels of several words are broken into lines, for which bars have room, and not cut.
function sentences(c) { return c.x.labels.some(l => l.length > 28 && l.trim().split(' ').length > 3); }
function barsHeight(c) { return c.across ? Math.min(24, c.x.labels.length) * (sentences(c) ? 38 : c.stack ? 30 : Math.max(30, c.series.length * 13 + 12)) + 96 : 380; }

kinds.lines = function (c, t, w, v) {
  const o = base(c, t);
  o.xAxis = axis(c.x, t, {boundaryGap: false}); o.yAxis = axis(c.y, t, {});
  if (c.x.labels) o.xAxis.axisLabel.rotate = 0;
  if (v.log) { o.yAxis.type = 'log'; o.yAxis.min = undefined; }
  o.grid.bottom = 30;
  o.series = [];
  c.series.forEach((s, i) => {
    const col = colour(s, i, t);
    o.series.push({type: 'line', name: s.name, data: s.x.map((x, k) => [x, v.log && !(s.y[k] > 0) ? null : s.y[k]]), showSymbol: !s.dash && s.x.length <= 60, symbolSize: 6, symbol: ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin'][i % 6], step: s.step ? 'end' : false, connectNulls: false,
      lineStyle: {width: 2, color: col, type: s.dash ? 'dashed' : 'solid'}, itemStyle: {color: col}, areaStyle: s.area ? {color: col, opacity: .22} : undefined, stack: s.area && c.stack ? 'all' : undefined, sampling: s.x.length > 2000 ? 'lttb' : undefined, emphasis: {focus: 'series'},
      markLine: i === 0 && c.marks ? {silent: true, symbol: 'none', lineStyle: {color: t.dim, type: 'dotted'}, label: {color: t.dim, formatter: p => p.data.text, fontSize: 11}, data: c.marks.map(m => ({xAxis: m.at, text: m.text}))} : undefined});
    if (s.half && s.half.some(h => h > 0)) o.series.push({type: 'custom', name: s.name, silent: true, z: 1, itemStyle: {color: col}, data: s.x.map((x, k) => [x, s.y[k], s.half[k] || 0]),
      renderItem: (p, api) => {
        const x = api.value(0), y = api.value(1), h = api.value(2);
        if (!(h > 0)) return;
        const a = api.coord([x, y - h]), b = api.coord([x, y + h]), st = {stroke: col, lineWidth: 1.2, fill: null};
        return {type: 'group', children: [[a, b], [[a[0] - 4, a[1]], [a[0] + 4, a[1]]], [[b[0] - 4, b[1]], [b[0] + 4, b[1]]]].map(q => ({type: 'line', shape: {x1: q[0][0], y1: q[0][1], x2: q[1][0], y2: q[1][1]}, style: st}))};
      }});
  });
  o.dataZoom = [inside({xAxisIndex: 0}), slider(t, {xAxisIndex: 0})];
  if (!legendNames(c).length) o.legend.show = false, o.grid.top = 18;
  o.legend.data = c.series.map(s => s.name);
  o.tooltip.trigger = 'axis'; o.tooltip.axisPointer = {type: 'line', lineStyle: {color: t.dim}};
  o.tooltip.formatter = list => {
    let h = head((c.x.name || '') + ' ' + (c.x.labels ? list[0].axisValue : fmt(+list[0].axisValue, c.x.unit)));
    const seen = {};
    for (const p of list) if (p.seriesType === 'line' && p.value[1] !== null && !seen[p.seriesName]) {
      seen[p.seriesName] = 1;
      const s = c.series.find(q => q.name === p.seriesName), hw = s.half && s.half[p.dataIndex];
      h += row(p.color, p.seriesName, fmt(p.value[1], c.y.unit) + (hw > 0 ? ' \u00b1 ' + fmt(hw, c.y.unit, 3) : ''));
    }
    return h;
  };
  return o;
};

// dotSize is the diameter of a dot.
function dotSize(s, k) {
  if (!s.size) return 8;
  if (s.most === undefined) Object.defineProperty(s, 'most', {value: Math.max(...s.size)});
  return 6 + 22 * Math.sqrt(s.size[k] / s.most);
}
// tagSeries draws the labels of dots, where placed finds room for them.
function tagSeries(c, t) {
  const all = c.series.filter(s => !s.line), first = all.find(s => s.tags && s.x.length);
  if (!first) return [];
  return [{type: 'custom', name: 'labels', silent: true, z: 5, data: [[first.x[0], first.y[0]]], tooltip: {show: false},
    renderItem: (p, api) => {
      const area = p.coordSys, dots = [], tags = [], segments = [];
      const at = (x, y) => { const q = api.coord([x, y]); return isFinite(q[0]) && isFinite(q[1]) ? q : null; };
      for (const s of c.series) {
        if (s.line) { for (let k = 1; k < s.x.length; k++) { const a = at(s.x[k - 1], s.y[k - 1]), b = at(s.x[k], s.y[k]); if (a && b) segments.push([a[0], a[1], b[0], b[1]]); } continue; }
        s.x.forEach((x, k) => {
          const q = at(x, s.y[k]);
          if (!q || q[0] < area.x || q[0] > area.x + area.width || q[1] < area.y || q[1] > area.y + area.height) return;
          const d = {x: q[0], y: q[1], r: dotSize(s, k) / 2};
          dots.push(d);
          if (k < (s.tags || 0)) { const text = s.labels[k].split('\n')[0]; tags.push(Object.assign({text, w: wide(text, 11) + 2, h: 13}, d)); }
        });
      }
      return {type: 'group', children: placed(area, dots, segments, tags).flatMap(g => {
        const b = g.box, text = {type: 'text', style: {text: g.text, x: b.x + 1, y: b.y + b.h / 2, verticalAlign: 'middle', fontSize: 11, fill: t.text, stroke: t.paper, lineWidth: 2}};
        if (b.far < 12) return [text];
        const x = Math.max(b.x, Math.min(g.x, b.x + b.w)), y = Math.max(b.y, Math.min(g.y, b.y + b.h)), l = Math.hypot(x - g.x, y - g.y) || 1;
        return [{type: 'line', shape: {x1: g.x + (x - g.x) * g.r / l, y1: g.y + (y - g.y) * g.r / l, x2: x, y2: y}, style: {stroke: t.dim, lineWidth: .8}}, text];
      })};
    }}];
}

kinds.points = function (c, t, w, v) {
  const o = base(c, t);
  o.xAxis = axis(c.x, t, {}); o.yAxis = axis(c.y, t, {});
  o.xAxis.axisLabel.alignMinLabel = 'left'; // of two noughts in a corner
  o.series = [];
  if (v.log !== undefined) { o.xAxis.type = o.yAxis.type = v.log ? 'log' : 'value'; }
  c.series.forEach((s, i) => {
    const col = colour(s, i, t);
    if (s.line) {
      o.series.push({type: 'line', name: s.name, data: s.x.map((x, k) => [x, s.y[k]]), showSymbol: false, step: s.step ? 'end' : false, lineStyle: {color: col, width: 2, type: s.dash ? 'dashed' : 'solid'}, itemStyle: {color: col}, silent: true, z: 1});
      return;
    }
    o.series.push({type: 'scatter', name: s.name, data: s.x.map((x, k) => Object.assign({value: [x, s.y[k]], k}, leftOut((s.labels || [])[k]) && {itemStyle: {opacity: .05}})), symbolSize: (val, p) => dotSize(s, p.dataIndex),
      itemStyle: {color: col, opacity: t.dark ? .92 : .72, borderColor: t.paper, borderWidth: .6},
      emphasis: {itemStyle: {opacity: 1}}});
  });
  o.series.push(...tagSeries(c, t));
  o.legend.data = c.series.map(s => s.name);
  o.dataZoom = [inside({xAxisIndex: 0}), inside({yAxisIndex: 0})];
  if (c.series.length < 2) o.legend.show = false, o.grid.top = 18;
  o.tooltip.trigger = 'item';
  o.tooltip.formatter = p => {
    const s = c.series[p.seriesIndex], k = p.dataIndex;
    if (!s || s.line) return '';
    const lines = String((s.labels || [])[k] || s.name).split('\n');
    let h = head(lines[0]) + lines.slice(1).map(l => { const i = l.indexOf(': '); return i < 0 ? '<div>' + esc(l) + '</div>' : row('', l.slice(0, i), l.slice(i + 2)); }).join('');
    return h + row('', c.x.name, fmt(s.x[k], c.x.unit)) + row('', c.y.name, fmt(s.y[k], c.y.unit)) + (s.size && c.value.name ? row('', c.value.name, fmt(s.size[k], c.value.unit)) : '');
  };
  return o;
};

kinds.heat = function (c, t, w) {
  const o = base(c, t);
  o.xAxis = axis(c.x, t, {splitArea: {show: false}}); o.yAxis = axis(c.y, t, {});
  o.xAxis.axisLabel.rotate = c.x.labels.join('').length * 7 > w * .7 ? 45 : 0;
  o.yAxis.axisLabel.width = Math.min(150, w * .3); o.yAxis.axisLabel.overflow = 'truncate';
  o.yAxis.nameLocation = 'end'; o.yAxis.nameGap = 8; o.yAxis.nameTextStyle.align = 'left';
  o.grid.top = 26; o.grid.bottom = 46;
  const vals = c.cells.map(x => x[2]).filter(x => x !== null);
  const lo = Math.min(...vals), hi = Math.max(...vals);
  o.visualMap = {min: lo, max: hi > lo ? hi : lo + 1, calculable: true, orient: 'horizontal', left: 'center', bottom: 0, itemHeight: Math.min(260, w * .5), itemWidth: 12, text: ['', c.value.name || ''], formatter: x => fmt(x, c.value.unit, 3), textStyle: {color: t.dim, fontSize: 11}, inRange: {color: ramp(t)}};
  const small = c.x.labels.length * c.y.labels.length <= 150 && w / c.x.labels.length > 52;
  o.series = [{type: 'heatmap', data: c.cells, label: {show: small, formatter: p => fmt(p.value[2], steps[c.value.unit] ? c.value.unit : '', 3), fontSize: 11}, itemStyle: {borderColor: t.paper, borderWidth: c.cells.length < 2000 ? 1 : 0}, emphasis: {itemStyle: {borderColor: t.text, borderWidth: 2}}}];
  o.legend.show = false;
  o.dataZoom = [inside({xAxisIndex: 0}), inside({yAxisIndex: 0})];
  o.tooltip.formatter = p => row('', c.x.name || '', c.x.labels[p.value[0]]) + row('', c.y.name || '', c.y.labels[p.value[1]]) + row('', c.value.name || 'value', fmt(p.value[2], c.value.unit));
  return o;
};

kinds.lanes = function (c, t, w) {
  const o = base(c, t), s = c.slices, n = s.lane.length;
  const narrow = w < 560, room = narrow ? 84 : 150;
  o.xAxis = axis(c.x, t, {position: 'bottom'}); o.yAxis = axis({labels: c.lanes}, t, {inverse: true, splitLine: {show: true, lineStyle: {color: t.line, opacity: .6}}});
  const lane = (v, i) => { const m = v.match(/^(.*) (\d+)$/), b = i > 0 && m && c.lanes[i - 1].match(/^(.*) (\d+)$/); return b && b[1] === m[1] && m[1].includes(' ') ? m[2] : wide(v, 12) > room && c.lanes.length <= 40 ? halves(v) : v; };
  o.yAxis.axisLabel = {color: t.text, formatter: lane, fontSize: c.lanes.length > 40 ? 10 : narrow ? 11 : 12, lineHeight: 12, width: c.lanes.length > 40 ? Math.min(210, w * .36) : narrow ? 112 : 210, overflow: c.lanes.length > 40 ? 'truncate' : 'breakAll', interval: c.lanes.length > 60 ? 'auto' : 0};
  o.grid.top = s.kinds.length > 1 ? 40 : 14; o.grid.bottom = 28;
  // A name ends where the next slice of its lane begins: slices of a lane may overlap.
  const next = new Array(n).fill(Infinity), inOrder = s.lane.map((_, k) => k).sort((a, b) => s.lane[a] - s.lane[b] || s.begin[a] - s.begin[b] || a - b);
  for (let i = 0; i + 1 < n; i++) if (s.lane[inOrder[i]] === s.lane[inOrder[i + 1]]) next[inOrder[i]] = s.begin[inOrder[i + 1]];
  const col = s.kinds.map((k, i) => tone((s.colors && s.colors[i]) || palette[i % palette.length], t));
  o.series = s.kinds.map((k, i) => ({
    type: 'custom', name: k, itemStyle: {color: col[i]}, encode: {x: [1, 2], y: 0}, clip: true, progressive: 0, dimensions: ['lane', 'begin', 'end', 'k'],
    data: [],
    renderItem: (p, api) => {
      const a = api.coord([api.value(1), api.value(0)]), b = api.coord([api.value(2), api.value(0)]), h = Math.max(3, Math.min(26, api.size([0, 1])[1] * .72));
      const area = p.coordSys, x = Math.max(a[0], area.x), r = Math.min(b[0], area.x + area.width), wd = Math.max(r - x, 1);
      if (b[0] < area.x || a[0] > area.x + area.width) return;
      const kids = [{type: 'rect', shape: {x, y: a[1] - h / 2, width: wd, height: h}, style: {fill: col[i], stroke: t.paper, lineWidth: wd > 4 ? .6 : 0}}];
      const name = s.names[s.name[api.value(3)]];
      const k = api.value(3), room = Math.min(wd, isFinite(next[k]) ? api.coord([next[k], api.value(0)])[0] - x : wd);
      if (room > 34 && h >= 12 && name) kids.push({type: 'text', style: {text: name, x: x + 4, y: a[1], width: room - 8, overflow: 'truncate', ellipsis: '', verticalAlign: 'middle', fontSize: 11, fill: ink(col[i])}, silent: true});
      return {type: 'group', children: kids};
    },
  }));
  for (let k = 0; k < n; k++) o.series[s.kind[k]].data.push([s.lane[k], s.begin[k], s.begin[k] + s.span[k], k]);
  const end = c.until || 100;
  o.dataZoom = [inside({xAxisIndex: 0, filterMode: 'weakFilter', end}), slider(t, {xAxisIndex: 0, filterMode: 'weakFilter', end})];
  if (c.lanes.length > 40) { o.dataZoom.push(slider(t, {yAxisIndex: 0, width: 14, right: 0, top: 40, bottom: 50, height: undefined, filterMode: 'weakFilter', end: 100 * 40 / c.lanes.length})); o.grid.right = 30; }
  o.legend.show = s.kinds.length > 1;
  o.tooltip.formatter = p => { const k = p.value[3]; return head(s.names[s.name[k]] || s.kinds[s.kind[k]]) + row(p.color, s.kinds[s.kind[k]], c.lanes[s.lane[k]]) + row('', 'from', fmt(s.begin[k], c.x.unit, 7)) + row('', 'takes', fmt(s.span[k], c.x.unit, 6)); };
  return o;
};
// A long name in two lines, cut at the blank that leaves the longer one shortest.
function halves(v) {
  const at = i => Math.max(i, v.length - i - 1), blanks = [...v.matchAll(/ /g)].map(m => m.index).sort((a, b) => at(a) - at(b));
  return v.length < 12 || !blanks.length ? v : v.slice(0, blanks[0]) + '\n' + v.slice(blanks[0] + 1);
}
function ink(hex) { const c = [1, 3, 5].map(i => parseInt(hex.substr(i, 2), 16)); return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] > 140 ? '#111820' : '#ffffff'; }

kinds.net = function (c, t, w) {
  const o = base(c, t);
  const xs = c.nodes.map(n => n.x), ys = c.nodes.map(n => n.y), pad = v => (Math.max(...v) - Math.min(...v)) * .06 + .05;
  o.grid = {left: 8, right: 8, top: 8, bottom: 44, outerBoundsMode: 'none'};
  const hidden = {type: 'value', axisLine: {show: false}, axisTick: {show: false}, axisLabel: {show: false}, splitLine: {show: false}};
  o.xAxis = Object.assign({min: Math.min(...xs) - pad(xs), max: Math.max(...xs) + pad(xs)}, hidden); o.yAxis = Object.assign({min: Math.min(...ys) - pad(ys), max: Math.max(...ys) + pad(ys)}, hidden);
  const vals = c.edges.map(e => e.value), lo = Math.min(0, ...vals), hi = Math.max(...vals, 1e-9);
  o.visualMap = {type: 'continuous', seriesIndex: 0, dimension: 4, min: lo, max: hi, calculable: true, orient: 'horizontal', left: 'center', bottom: 0, itemHeight: Math.min(240, w * .45), itemWidth: 12, text: ['', c.value.name || ''], formatter: x => fmt(x, c.value.unit, 3), textStyle: {color: t.dim, fontSize: 11}, inRange: {color: t.dark ? ['#3a4754', '#5c7fa8', '#2fb39a', '#a6d854', '#fde725'] : ['#d5dbe1', '#8fb4d9', '#e6a23c', '#d55e00', '#8b0000']}};
  const order = c.edges.map((e, i) => i).sort((a, b) => c.edges[a].value - c.edges[b].value);
  o.series = [{type: 'custom', name: 'channels', clip: true, data: order.map(i => { const e = c.edges[i], a = c.nodes[e.from], b = c.nodes[e.to]; return [a.x, a.y, b.x, b.y, e.value, i]; }), encode: {x: [0, 2], y: [1, 3]},
    renderItem: (p, api) => {
      const a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(2), api.value(3)]), e = c.edges[api.value(5)], v = api.value(4), f = hi > lo ? (v - lo) / (hi - lo) : 0;
      const dx = b[0] - a[0], dy = b[1] - a[1], bend = e.bend || .06, m = [(a[0] + b[0]) / 2 - dy * bend, (a[1] + b[1]) / 2 + dx * bend];
      return {type: 'bezierCurve', shape: {x1: a[0], y1: a[1], cpx1: m[0], cpy1: m[1], x2: b[0], y2: b[1]}, style: {stroke: api.visual('color'), lineWidth: 1 + 3 * f, fill: null, opacity: .9}, emphasis: {style: {lineWidth: 4 + 3 * f}}};
    }},
    {type: 'scatter', name: 'routers', z: 5, data: c.nodes.map((n, i) => ({value: [n.x, n.y], name: n.name})), symbolSize: Math.max(5, Math.min(26, 420 / Math.sqrt(c.nodes.length) / 3)), itemStyle: {color: t.dark ? '#2c3a47' : '#ffffff', borderColor: t.dim, borderWidth: 1.4},
      label: {show: c.nodes.length <= 80, formatter: p => c.nodes[p.dataIndex].name, color: t.text, fontSize: 10}}];
  o.legend.show = false;
  o.dataZoom = [inside({xAxisIndex: 0}), inside({yAxisIndex: 0})];
  o.tooltip.formatter = p => { if (p.seriesIndex === 1) { const n = c.nodes[p.dataIndex]; return head((n.group ? n.group + ', ' : '') + 'router ' + n.name) + (n.lines || []).map(l => '<div>' + esc(l) + '</div>').join(''); } const e = c.edges[p.value[5]]; return head(c.nodes[e.from].name + ' \u2192 ' + c.nodes[e.to].name) + row('', c.value.name || '', fmt(e.value, c.value.unit)) + (e.text ? '<div>' + esc(e.text) + '</div>' : ''); };
  return o;
};

kinds.boxes = function (c, t, w) {
  c.edges = c.edges || [];
  const o = base(c, t), down = w < 620;
  const cols = Math.max(...c.nodes.map(n => n.x)) + 1, half = Math.max(...c.nodes.map(n => Math.abs(n.y))), rows = 2 * half + 1;
  const hidden = {type: 'value', axisLine: {show: false}, axisTick: {show: false}, axisLabel: {show: false}, splitLine: {show: false}};
  o.grid = {left: 4, right: 4, top: 4, bottom: 4, outerBoundsMode: 'none'};
  const along = {min: -.5, max: cols - .5}, beside = {min: -half - .5, max: half + .5};
  o.xAxis = Object.assign({}, hidden, down ? beside : along); o.yAxis = Object.assign({inverse: true}, hidden, down ? along : beside);
  const groups = [...new Set(c.nodes.map(n => n.group))];
  const at = (api, n) => api.coord(down ? [n.y, n.x] : [n.x, n.y]);
  const size = api => { const s = api.size([1, 1]); return [Math.min(190, s[0] * (down ? .94 : .74)), Math.min(78, s[1] * (down ? .62 : .8))]; };
  o.series = [
    {type: 'custom', name: 'links', silent: true, data: c.edges.map((e, i) => [0, 0, i]), renderItem: (p, api) => {
      const e = c.edges[api.value(2)], a = at(api, c.nodes[e.from]), b = at(api, c.nodes[e.to]), s = size(api);
      const k = down ? 1 : 0, x1 = a.slice(), x2 = b.slice(), dir = b[k] >= a[k] ? 1 : -1; x1[k] += dir * s[k] / 2; x2[k] -= dir * (s[k] / 2 + 1);
      const m = (x1[k] + x2[k]) / 2, c1 = x1.slice(), c2 = x2.slice(); c1[k] = m; c2[k] = m;
      const tip = x2, q = 6, wing = down ? [[tip[0] - q * .7, tip[1] - dir * q], [tip[0] + q * .7, tip[1] - dir * q]] : [[tip[0] - dir * q, tip[1] - q * .7], [tip[0] - dir * q, tip[1] + q * .7]];
      const kids = [{type: 'bezierCurve', shape: {x1: x1[0], y1: x1[1], cpx1: c1[0], cpy1: c1[1], cpx2: c2[0], cpy2: c2[1], x2: x2[0], y2: x2[1]}, style: {stroke: t.dim, lineWidth: 1.4, fill: null}},
        {type: 'polygon', shape: {points: [tip, wing[0], wing[1]]}, style: {fill: t.dim}}];
      if (e.text) kids.push({type: 'text', style: {text: e.text, x: (x1[0] + x2[0]) / 2, y: (x1[1] + x2[1]) / 2 - 9, align: 'center', fontSize: 10.5, fill: t.dim}});
      return {type: 'group', children: kids};
    }},
    {type: 'custom', name: 'nodes', data: c.nodes.map((n, i) => [n.x, n.y, i]), encode: down ? {x: 1, y: 0} : {x: 0, y: 1}, renderItem: (p, api) => {
      const n = c.nodes[api.value(2)], a = at(api, n), s = size(api), col = tone(palette[groups.indexOf(n.group) % palette.length], t), fit = Math.max(1, Math.floor((s[1] - 10) / 15) - 1);
      const kids = [{type: 'rect', shape: {x: a[0] - s[0] / 2, y: a[1] - s[1] / 2, width: s[0], height: s[1], r: 6}, style: {fill: t.paper, stroke: col, lineWidth: 1.8}},
        {type: 'rect', shape: {x: a[0] - s[0] / 2, y: a[1] - s[1] / 2, width: 5, height: s[1], r: [6, 0, 0, 6]}, style: {fill: col}}];
      const lines = (n.lines || []).slice(0, fit), top = a[1] - lines.length * 7.5;
      kids.push({type: 'text', style: {text: n.name, x: a[0] + 2, y: top, align: 'center', verticalAlign: 'middle', fontSize: 12.5, fontWeight: 650, fill: t.text, width: s[0] - 14, overflow: 'truncate'}});
      lines.forEach((l, i) => kids.push({type: 'text', style: {text: l, x: a[0] + 2, y: top + 15 * (i + 1), align: 'center', verticalAlign: 'middle', fontSize: 11, fill: t.dim, width: s[0] - 14, overflow: 'truncate'}}));
      return {type: 'group', children: kids};
    }}];
  o.legend.show = false;
  o.tooltip.formatter = p => { const n = c.nodes[p.value[2]]; return head(n.name) + (n.lines || []).map(l => '<div>' + esc(l) + '</div>').join(''); };
  return o;
};
function boxesHeight(c, w) {
  const cols = Math.max(...c.nodes.map(n => n.x)) + 1, rows = 2 * Math.max(...c.nodes.map(n => Math.abs(n.y))) + 1;
  return w < 620 ? Math.max(160, cols * 108) : Math.max(130, Math.min(760, rows * 92));
}

// labels of an axis that lines cross stand on paper
const LABEL = t => ({color: t.text, fontSize: 11, backgroundColor: t.paper, padding: [1, 2], borderRadius: 2});
kinds.parallel = function (c, t, w) {
  const o = base(c, t), dims = c.dims, n = dims[0].values.length, last = dims[dims.length - 1], lie = axesLie(c, w);
  o.parallel = {layout: lie ? 'vertical' : 'horizontal', left: lie ? 124 : 50, right: lie ? 34 : 70, top: lie ? 16 : 56, bottom: lie ? 76 : 84, axisExpandable: !lie && dims.length * 70 > w, axisExpandCount: Math.max(3, Math.floor(w / 110)), axisExpandWidth: 90, parallelAxisDefault: {nameTextStyle: {color: t.text, fontSize: 11}, axisLine: {lineStyle: {color: t.dim}}, axisTick: {lineStyle: {color: t.dim}}, axisLabel: LABEL(t), areaSelectStyle: {width: 18, color: t.dark ? '#62b0f5' : '#0b62b0', opacity: .25}}};
  const short = s => lie ? (s.length > 16 ? s.slice(0, 7) + '\u2026' + s.slice(-8) : s) : s.length > 20 ? s.slice(0, 9) + '\u2026' + s.slice(-9) : s;
  o.parallelAxis = dims.map((d, i) => Object.assign({dim: i, z: 10, name: short(d.name), nameLocation: lie || i % 2 ? 'start' : 'end', nameGap: lie ? 10 : 14, type: d.labels ? 'category' : 'value', scale: true}, d.labels ? {data: d.labels} : {axisLabel: {...LABEL(t), formatter: x => fmt(x, steps[d.unit] ? d.unit : '', 3)}}));
  const vals = last.values.filter(x => x !== null), lo = Math.min(...vals), hi = Math.max(...vals);
  o.visualMap = {dimension: dims.length - 1, min: lo, max: hi > lo ? hi : lo + 1, calculable: true, orient: 'horizontal', left: 'center', bottom: 0, itemHeight: Math.min(240, w * .45), itemWidth: 12, text: ['', last.name], formatter: x => fmt(x, last.unit, 3), textStyle: {color: t.dim, fontSize: 11}, inRange: {color: ramp(t)}};
  o.series = [{type: 'parallel', lineStyle: {width: n > 300 ? 1 : 1.6, opacity: n > 1000 ? .25 : n > 200 ? .45 : .75}, smooth: false, inactiveOpacity: .04, activeOpacity: .9, progressive: 0, data: Array.from({length: n}, (_, i) => Object.assign({value: dims.map(d => d.values[i] === null ? '-' : d.values[i])}, leftOut((c.points || [])[i]) && {lineStyle: {opacity: .02}}))}];
  o.legend.show = false;
  o.tooltip.formatter = p => dims.map((d, i) => row('', d.name, d.labels ? d.labels[p.value[i]] : fmt(p.value[i], d.unit))).join('');
  return o;
};

// axesLie tells that there is no room for axes side by side: they lie one below the other.
const axesLie = (c, w) => w < 620 && c.dims.length * 110 > w;

const heightOf = (c, w) => bodyHeight(c, w) + legendExtra(c, w);
function bodyHeight(c, w) {
  switch (c.kind) {
    case 'bars': return barsHeight(c);
    case 'lanes': return Math.min(40, c.lanes.length) * Math.max(14, Math.min(34, 600 / c.lanes.length)) + 110;
    case 'heat': return Math.max(230, Math.min(640, c.y.labels.length * 26 + 120));
    case 'net': return Math.min(720, Math.max(380, w * .55));
    case 'boxes': return boxesHeight(c, w);
    case 'parallel': return axesLie(c, w) ? c.dims.length * 50 + 92 : 470;
    case 'points': return 420;
  }
  return 360;
}

// ---- data of a figure as CSV ----
function csvOf(c) {
  const rows = [], q = v => v === null || v === undefined ? '' : /[",\n]/.test(String(v)) ? '"' + String(v).replace(/"/g, '""') + '"' : String(v);
  const unit = a => (a.name || '') + (a.unit && a.unit !== '1' ? ' [' + a.unit + ']' : '');
  switch (c.kind) {
    case 'bars': rows.push([c.x.name || 'name', ...c.series.map(s => s.name + (c.y.unit && c.y.unit !== '1' ? ' [' + c.y.unit + ']' : ''))]); c.x.labels.forEach((l, i) => rows.push([l, ...c.series.map(s => s.y[i])])); break;
    case 'lines': case 'points': rows.push(['series', unit(c.x) || 'x', unit(c.y) || 'y', 'half of the 95% interval', 'size', 'label']); c.series.forEach(s => s.x.forEach((x, i) => rows.push([s.name, x, s.y[i], (s.half || [])[i], (s.size || [])[i], ((s.labels || [])[i] || '').replace(/\n/g, '; ')]))); break;
    case 'heat': rows.push([c.x.name || 'x', c.y.name || 'y', unit(c.value) || 'value']); c.cells.forEach(x => rows.push([c.x.labels[x[0]], c.y.labels[x[1]], x[2]])); break;
    case 'lanes': rows.push(['lane', 'kind', 'name', 'begin [' + c.x.unit + ']', 'span [' + c.x.unit + ']']); c.slices.lane.forEach((l, i) => rows.push([c.lanes[l], c.slices.kinds[c.slices.kind[i]], c.slices.names[c.slices.name[i]], c.slices.begin[i], c.slices.span[i]])); break;
    case 'net': case 'boxes': rows.push(['from', 'to', unit(c.value) || 'value', 'text']); (c.edges || []).forEach(e => rows.push([c.nodes[e.from].name, c.nodes[e.to].name, e.value, e.text])); break;
    case 'parallel': rows.push(c.dims.map(unit)); c.dims[0].values.forEach((_, i) => rows.push(c.dims.map(d => d.labels ? d.labels[d.values[i]] : d.values[i]))); break;
  }
  return rows.map(r => r.map(q).join(',')).join('\n') + '\n';
}
function save(name, blob) {
  const a = el('a', {href: typeof blob === 'string' ? blob : URL.createObjectURL(blob), download: name});
  document.body.append(a); a.click(); a.remove();
  if (typeof blob !== 'string') setTimeout(() => URL.revokeObjectURL(a.href), 2000);
}
// A drawing for papers: light, on white, whatever the page looks like.
function svgOf(x) {
  const w = Math.max(520, x.chart ? x.chart.getWidth() : 800), h = heightOf(x.c, w), t = look('light');
  const g = echarts.init(null, null, {renderer: 'svg', ssr: true, width: w, height: h});
  const o = options(x.c, t, w, x.view);
  o.backgroundColor = '#ffffff'; delete o.aria;
  (Array.isArray(o.dataZoom) ? o.dataZoom : []).forEach(z => { if (z.type === 'slider') z.show = false; });
  g.setOption(o);
  const s = g.renderToSVGString();
  g.dispose();
  return s;
}

// ---- figures ----
function zoomOf(x) { const z = (x.chart.getOption().dataZoom || [])[0]; return z ? [z.start, z.end] : null; }
function zoom(x, f, shift) {
  const z = zoomOf(x);
  if (!z) return;
  const all = x.c.kind === 'net' || x.c.kind === 'points' || x.c.kind === 'heat' ? [0, 1] : [0];
  let mid = (z[0] + z[1]) / 2 + (shift || 0) * (z[1] - z[0]), half = (z[1] - z[0]) / 2 * f;
  half = Math.min(50, Math.max(.01, half)); mid = Math.min(100 - half, Math.max(half, mid));
  if (f === 0) { mid = 50; half = 50; }
  for (const i of all) x.chart.dispatchAction({type: 'dataZoom', dataZoomIndex: i, start: mid - half, end: mid + half});
}
function draw(x) {
  const w = x.box.clientWidth;
  if (!x.box.closest('.full')) x.box.style.height = heightOf(x.c, w) + 'px';
  const keep = x.chart && zoomOf(x);
  if (!x.chart) x.chart = echarts.init(x.box, null, {renderer: 'canvas'});
  else x.chart.resize();
  const o = options(x.c, look(), w, x.view);
  if (keep && o.dataZoom && x.width === w) o.dataZoom.forEach(z => { if (z.yAxisIndex === undefined || x.c.kind !== 'lanes') { z.start = keep[0]; z.end = keep[1]; } });
  x.width = w;
  x.chart.setOption(o, true);
}
function figure(box) {
  const c = data.figures[box.dataset.figure], x = {c, name: box.dataset.figure, figure: box, box: box.querySelector('.chart'), view: {}, chart: null};
  const tools = box.querySelector('.tools'), button = (text, title, f, more) => { const b = el('button', Object.assign({type: 'button', title, 'aria-label': title, text, onclick: f}, more)); tools.append(b); return b; };
  const toggle = (text, title, key) => { const b = button(text, title, () => { x.view[key] = !x.view[key]; b.setAttribute('aria-pressed', x.view[key]); draw(x); }, {'aria-pressed': 'false'}); };
  if (c.kind === 'bars' && c.stack && c.y.unit !== '%') toggle('%', 'Shares of the sum', 'share');
  if ((c.kind === 'bars' && !c.stack) || c.kind === 'lines') toggle('log', 'Logarithmic scale', 'log');
  if (c.kind !== 'boxes' && c.kind !== 'parallel') {
    button('+', 'Zoom in', () => zoom(x, .5)); button('\u2212', 'Zoom out', () => zoom(x, 2)); button('All', 'Show all', () => zoom(x, 0));
  }
  button('SVG', 'Download as SVG', () => save(x.name + '.svg', new Blob([svgOf(x)], {type: 'image/svg+xml'})));
  button('PNG', 'Download as PNG', () => { const u = x.chart.getDataURL({pixelRatio: 3, backgroundColor: look().paper, excludeComponents: ['dataZoom']}); save(x.name + '.png', u); });
  button('CSV', 'Download the data as CSV', () => save(x.name + '.csv', new Blob([csvOf(c)], {type: 'text/csv'})));
  const big = button('Full', 'Full window', () => { const on = box.classList.toggle('full'); big.setAttribute('aria-pressed', on); x.box.style.height = on ? '' : x.box.style.height; draw(x); }, {'aria-pressed': 'false'});
  x.box.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || !x.chart) return;
    const k = {'+': [.5], '=': [.5], '-': [2], '0': [0], ArrowLeft: [1, -.25], ArrowRight: [1, .25]}[e.key];
    if (k) { zoom(x, k[0], k[1]); e.preventDefault(); }
    if (e.key === 'Escape' && box.classList.contains('full')) big.click();
  });
  charts[x.name] = x;
  return x;
}

// ---- tables ----
// Filters of the table of points say which designs charts draw faintly. A chart may have points that the table lacks.
let filtered = null, redraw = 0;
function leftOut(label) {
  const name = label && label.split('\n', 1)[0];
  return filtered !== null && filtered.known.has(name) && !filtered.kept.has(name);
}
function link(rows, kept) {
  const name = i => 'point ' + rows[i][0], all = kept.length === rows.length;
  if (all && filtered === null) return;
  filtered = all ? null : {known: new Set(rows.map((_, i) => name(i))), kept: new Set(kept.map(name))};
  clearTimeout(redraw);
  redraw = setTimeout(() => { for (const n in charts) if (charts[n].chart && ['points', 'parallel'].includes(charts[n].c.kind)) draw(charts[n]); }, 150);
}
function table(box) {
  const d = data.tables[box.dataset.table], st = {sort: -1, up: true, search: '', filters: {}, all: false, shown: 60, columns: false};
  const varies = d.columns.map((c, i) => d.whole || i === 0 || d.rows.length < 2 || d.rows.some(r => r[i] !== d.rows[0][i]));
  const same = varies.filter(v => !v).length;
  const count = el('span', {class: 'count', 'aria-live': 'polite'});
  const search = el('input', {type: 'search', placeholder: 'search', 'aria-label': 'Search ' + d.title, oninput: e => { st.search = e.target.value.toLowerCase(); body(); }});
  const bar = el('div', {class: 'tablebar'}, el('h3', {text: d.title}), count, search);
  if (same) { const b = el('button', {type: 'button', 'aria-pressed': 'false', text: same + (same > 1 ? ' columns' : ' column') + ' of one value', title: 'Show the columns that have the same value in every row', onclick: () => { st.columns = !st.columns; b.setAttribute('aria-pressed', st.columns); header(); body(); }}); bar.append(b); }
  bar.append(el('button', {type: 'button', text: 'CSV', 'aria-label': 'Download ' + d.title + ' as CSV', onclick: () => { const q = v => v === null ? '' : /[",\n]/.test(String(v)) ? '"' + String(v).replace(/"/g, '""') + '"' : v; save(d.name + '.csv', new Blob([[d.columns.map(c => c.name), ...rows().map(i => d.rows[i])].map(r => r.map(q).join(',')).join('\n') + '\n'], {type: 'text/csv'})); }}));
  const thead = el('thead'), tbody = el('tbody'), more = el('button', {type: 'button', onclick: () => { st.shown = Infinity; body(); }});
  box.append(bar, d.note ? el('p', {class: 'note', text: d.note}) : '', el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': d.title}, el('table', {}, thead, tbody)), more);
  const shown = () => d.columns.map((c, i) => i).filter(i => st.columns || varies[i]);
  const num = c => !!c.unit;
  function header() {
    const h = el('tr'), f = el('tr', {class: 'filters'});
    for (const i of shown()) {
      const c = d.columns[i];
      const b = el('button', {type: 'button', title: c.text || 'Sort by ' + c.name, text: c.name.replace(/_/g, ' '), onclick: () => { st.up = st.sort === i ? !st.up : !num(c); st.sort = i; header(); body(); thead.querySelectorAll('tr')[0].children[shown().indexOf(i)].firstChild.focus(); }});
      if (c.unit && c.unit !== '1' && !(' ' + c.name.replace(/_/g, ' ').toLowerCase() + ' ').match(' ' + c.unit.toLowerCase().replace(/[^a-z0-9]/g, '.') + 's? $')) b.append(el('span', {class: 'unit', text: ' ' + c.unit}));
      h.append(el('th', {class: num(c) ? 'n' : undefined, scope: 'col', 'aria-sort': st.sort === i ? (st.up ? 'ascending' : 'descending') : 'none'}, b));
      const box = el('input', {'aria-label': 'Filter ' + c.name, placeholder: num(c) ? '> < 1..9' : 'filter', oninput: e => { st.filters[i] = e.target.value; body(); }});
      box.value = st.filters[i] || '';
      f.append(el('th', {}, box));
    }
    thead.replaceChildren(h, f);
  }
  // read is a number as the table shows it: with commas between thousands, or 1e6.
  const read = s => /^-?(\d{1,3}(,\d{3})+|\d+|(?=\.\d))(\.\d*)?(e[+-]?\d+)?$/i.test(s = s.trim()) ? +s.replace(/,/g, '') : NaN;
  // range is the least and the greatest value that a filter of numbers keeps, and whether they are kept too; null if it is none.
  function range(f) {
    const m = f.match(/^(<=|>=|<|>|=)(.*)$/), r = f.split('..');
    const [lo, hi, at] = r.length === 2 ? [read(r[0]), read(r[1]), true] : m ? [m[1][0] === '<' ? -Infinity : read(m[2]), m[1][0] === '>' ? Infinity : read(m[2]), m[1].includes('=')] : [read(f), read(f), true];
    return isNaN(lo) || isNaN(hi) ? null : v => at ? v >= lo && v <= hi : v > lo && v < hi;
  }
  function passes(v, f, keeps) {
    if (keeps && typeof v === 'number') return keeps(v) || exact(v) === f;
    return String(v === null ? '' : v).toLowerCase().includes(f.toLowerCase());
  }
  function rows() {
    let list = d.rows.map((_, i) => i);
    if (st.search) list = list.filter(i => d.rows[i].some(v => v !== null && String(v).toLowerCase().includes(st.search)));
    for (const k in st.filters) {
      const f = st.filters[k].trim(), keeps = range(f);
      if (f) list = list.filter(i => passes(d.rows[i][k], f, keeps));
    }
    if (st.sort >= 0) {
      const k = st.sort, s = st.up ? 1 : -1;
      list.sort((a, b) => { const x = d.rows[a][k], y = d.rows[b][k]; if (x === null || y === null) return (x === null) - (y === null) || a - b; return s * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en', {numeric: true})) || a - b; });
    }
    return list;
  }
  function body() {
    const list = rows(), cols = shown(), some = list.slice(0, st.shown);
    tbody.replaceChildren(...some.map(i => el('tr', {}, ...cols.map(k => { const v = d.rows[i][k], td = el('td', {class: num(d.columns[k]) ? 'n' : String(v).length > 160 ? 'text long' : String(v).length > 60 ? 'text' : undefined, text: exact(v)}); const to = d.links && k === 0 && d.links[i]; if (to) { td.textContent = ''; td.append(el('a', {href: to, text: exact(v)})); } return td; }))));
    count.textContent = list.length === d.rows.length ? list.length + (list.length === 1 ? ' row' : ' rows') : list.length + ' of ' + d.rows.length + ' rows';
    more.hidden = list.length <= st.shown; more.textContent = 'Show all ' + list.length + ' rows';
    if (d.name === 'points' && d.columns[0].name === 'point') link(d.rows, list);
  }
  header(); body();
  tables[d.name] = {rows, st};
}

// ---- the whole ----
const themeButton = document.getElementById('theme');
function theme(name) {
  root.dataset.theme = name;
  themeButton.textContent = name === 'dark' ? 'Light' : 'Dark';
  themeButton.setAttribute('aria-pressed', name === 'dark');
  for (const n in charts) if (charts[n].chart) draw(charts[n]);
}
let kept = null;
try { kept = localStorage.getItem('causeway-theme'); } catch (e) { /* a file may have no storage */ }
const system = window.matchMedia('(prefers-color-scheme: dark)');
theme(kept || (system.matches ? 'dark' : 'light'));
system.addEventListener('change', e => { if (!kept) theme(e.matches ? 'dark' : 'light'); });
themeButton.addEventListener('click', () => { kept = root.dataset.theme === 'dark' ? 'light' : 'dark'; try { localStorage.setItem('causeway-theme', kept); } catch (e) { /* as above */ } theme(kept); });
// columnsOf puts figures of these heights into two columns so that the longer one is shortest,
// the first on the left and, of equal ways, earlier ones before later ones. Many go to the
// shorter one so far.
function columnsOf(heights) {
  const n = heights.length, sum = [0, 0];
  if (n > 12) return heights.map(h => { const k = sum[1] < sum[0] ? 1 : 0; sum[k] += h; return k; });
  let best = 0, least = Infinity;
  for (let m = 0; m < 1 << n; m += 2) {
    const right = heights.reduce((a, h, i) => a + (m >> i & 1 ? h : 0), 0), longer = Math.max(right, heights.reduce((a, h) => a + h, 0) - right);
    if (longer < least - 1) { least = longer; best = m; }
  }
  return heights.map((_, i) => best >> i & 1);
}
// Figures that are not wide stand in two columns. Where a column would end far above the other,
// the first figure has a row of its own.
document.querySelectorAll('.grid').forEach(g => {
  const runs = [];
  for (const f of [...g.children]) f.classList.contains('wide') ? runs.push(null) : runs.length && runs[runs.length - 1] ? runs[runs.length - 1].push(f) : runs.push([f]);
  for (const list of runs) {
    if (!list) continue;
    if (list.length === 1) { list[0].classList.add('odd'); continue; }
    const height = f => heightOf(data.figures[f.dataset.figure], g.clientWidth / 2) + 60 + 18 * Math.ceil(wide((f.querySelector('.note') || {}).textContent || '', 13) / (g.clientWidth / 2 - 40));
    const cols = [el('div', {class: 'col'}), el('div', {class: 'col'})], pair = el('div', {class: 'cols'});
    let put = columnsOf(list.map(height));
    const sum = k => list.reduce((a, f, i) => a + (put[i] === k ? height(f) : 0), 0);
    if (Math.abs(sum(0) - sum(1)) > 240) { list.shift().classList.add('odd'); put = columnsOf(list.map(height)); }
    if (list.length === 1) { list[0].classList.add('odd'); continue; }
    g.insertBefore(pair, list[0]);
    pair.append(...cols);
    list.forEach((f, i) => cols[put[i]].append(f));
  }
});
const figures = [...document.querySelectorAll('figure[data-figure]')].map(figure);
const seen = new IntersectionObserver(list => { for (const e of list) if (e.isIntersecting) { seen.unobserve(e.target); const x = charts[e.target.dataset.figure]; if (!x.chart) draw(x); } }, {rootMargin: '1200px'});
for (const x of figures) { x.box.style.height = heightOf(x.c, x.box.clientWidth) + 'px'; seen.observe(x.figure); }
document.querySelectorAll('[data-table]').forEach(table);
let last = window.innerWidth, timer = 0;
window.addEventListener('resize', () => { clearTimeout(timer); timer = setTimeout(() => { if (window.innerWidth !== last) { last = window.innerWidth; for (const x of figures) if (x.chart) draw(x); } }, 120); });
window.addEventListener('beforeprint', () => { for (const x of figures) if (!x.chart) draw(x); });
window.causeway = {data, charts, tables, zoomOf, svgOf, csvOf, draw, heightOf, placed, fmt, el, save};
})();
