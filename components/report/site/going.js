// What runs just now: how far each run and sweep is, with a button that cancels it. An entry stays
// in place while it changes, so that its button keeps the focus.
(function () {
'use strict';
const {el, fmt} = causeway;
const box = document.getElementById('going'), root = location.pathname.split('/').slice(0, 2).join('/') + '/';
const span = s => s < 60 ? s.toFixed(0) + ' s' : s < 3600 ? (s / 60).toFixed(1) + ' min' : (s / 3600).toFixed(1) + ' h';
const address = (what, path) => root + what + '/' + path.split('/').map(encodeURIComponent).join('/');
const none = box.firstElementChild, shown = new Map();
function entry(path) {
  const e = {stop: el('button', {type: 'button', text: 'Cancel', 'aria-label': 'Cancel ' + path}), bar: el('progress', {max: '1', 'aria-label': path, style: 'width:100%'}), text: el('div', {})};
  e.all = el('div', {'data-going': path}, el('div', {class: 'tablebar'}, el('h3', {text: path}), e.stop), e.bar, e.text);
  e.stop.addEventListener('click', async () => {
    e.stop.disabled = true;
    e.stop.textContent = 'asked to end';
    try { e.asked = (await fetch(address('api/cancel', path), {method: 'POST'})).ok; } catch (x) { e.asked = false; }
    if (!e.asked) { e.stop.disabled = false; e.stop.textContent = 'Cancel'; }
  });
  return e;
}
function fill(e, g) {
  e.stop.hidden = e.bar.hidden = !!g.ended;
  if (g.ended) {
    const what = g.error ? el('p', {class: 'note bad', style: 'white-space:pre-wrap', text: g.error}) : el('p', {class: 'note', text: 'all points are there'});
    e.text.replaceChildren(what, g.report ? el('p', {class: 'note'}, el('a', {href: address('sweep', g.path), text: 'the report of the sweep'})) : '');
    return;
  }
  const part = g.total ? g.done / g.total : 0, left = part > 0 ? g.spent_s * (1 - part) / part : NaN;
  const words = [g.total ? g.done + ' of ' + g.total + ' ' + g.what : 'begins', span(g.spent_s) + ' gone'];
  if (!isNaN(left)) words.push(span(left) + ' left');
  if (g.sim_ns) words.push('at ' + fmt(g.sim_ns, 'ns') + ' of simulated time, ' + fmt(g.sim_ns / g.spent_s, 'ns') + ' per second');
  if (g.at) words.push(g.at);
  if (g.stale) words.push('nothing was heard for a while: it may have ended');
  e.bar.value = part;
  e.text.replaceChildren(...[words.join(', '), ...(g.waits || [])].map(t => el('p', {class: 'note', text: t})));
}
async function look() {
  try {
    const list = await (await fetch(root + 'api/running')).json();
    for (const [path, e] of shown) if (!list.some(g => g.path === path)) { e.all.remove(); shown.delete(path); }
    for (const g of list) {
      if (!shown.has(g.path)) { shown.set(g.path, entry(g.path)); box.append(shown.get(g.path).all); }
      fill(shown.get(g.path), g);
    }
    none.hidden = list.length > 0;
  } catch (e) { /* the server has gone */ }
  setTimeout(look, 1000);
}
look();
})();
