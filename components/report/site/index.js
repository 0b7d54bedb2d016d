// The list: names for the comparison, and what runs just now.
(function () {
'use strict';
const {el, fmt, data} = causeway;
const names = document.getElementById('runnames');
for (const r of (data.tables.runs || {rows: []}).rows) names.append(el('option', {value: r[0]}));
const box = document.getElementById('going');
const span = s => s < 60 ? s.toFixed(0) + ' s' : s < 3600 ? (s / 60).toFixed(1) + ' min' : (s / 3600).toFixed(1) + ' h';
async function look() {
  try {
    const list = await (await fetch('api/running')).json();
    if (!list.length) box.replaceChildren(el('p', {class: 'note', text: 'Nothing runs in this folder.'}));
    else box.replaceChildren(...list.map(g => {
      const part = g.total ? g.done / g.total : 0, left = part > 0 ? g.spent_s * (1 - part) / part : NaN;
      const words = [g.done + ' of ' + g.total + ' ' + g.what, span(g.spent_s) + ' gone'];
      if (!isNaN(left)) words.push(span(left) + ' left');
      if (g.sim_ns) words.push('at ' + fmt(g.sim_ns, 'ns') + ' of simulated time, ' + fmt(g.sim_ns / g.spent_s, 'ns') + ' per second');
      if (g.at) words.push(g.at);
      if (g.stale) words.push('nothing was heard for a while: it may have ended');
      const bar = el('progress', {max: '1', value: String(part), 'aria-label': g.path, style: 'width:100%'});
      return el('div', {'data-going': g.path}, el('h3', {text: g.path}), bar, el('p', {class: 'note', text: words.join(', ')}), ...(g.waits || []).map(t => el('p', {class: 'note', text: t})));
    }));
  } catch (e) { /* the server has gone */ }
  setTimeout(look, 1000);
}
look();
})();
