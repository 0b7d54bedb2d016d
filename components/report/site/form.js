// The form of a configuration: a change is simulated, and metrics and figures follow.
(function () {
'use strict';
const {el, fmt, charts, draw, save} = causeway;
const form = document.getElementById('form'), fields = [...document.querySelectorAll('.field')], said = document.getElementById('said'), problems = document.getElementById('problems');
const base = location.pathname.split('/config/')[0] + '/', path = form.dataset.config.split('/').map(encodeURIComponent).join('/');
// A shown result has set, metrics, sentence and change (against the file); held is the one to compare with.
let first = null, held = null, shown = null, timer = 0, number = 0, going = null;
const [copy, download, keep, as, hold, stop] = ['copy', 'download', 'save', 'as', 'hold', 'stop'].map(id => document.getElementById(id));
const words = (set, before) => Object.entries(set).map(([k, v]) => before + (/[^\w.:@%+=,/-]/.test(v) ? "'" + k + '=' + v + "'" : k + '=' + v)).join(' ');
const fresh = () => form.dataset.config.split('/').pop().replace(/\.ya?ml$/, '') + '-2.yaml';
as.value = fresh();
const inputOf = f => f.querySelector('input');
function changed() {
  const set = {};
  for (const f of fields) { const i = inputOf(f), on = i.value !== i.dataset.was; f.classList.toggle('changed', on); if (on && i.value !== '') set[f.dataset.path] = i.value; }
  return set;
}
function faults(lines) {
  for (const f of fields) { f.classList.remove('wrong'); const s = f.querySelector('.fault'); s.hidden = true; s.textContent = ''; }
  const rest = [];
  for (const line of lines) {
    const f = fields.find(f => line.includes('nodes.' + f.dataset.path + ':') || line.includes(': ' + f.dataset.path + ':') || line.includes('params.' + f.dataset.path + ':') || line.includes('"' + f.dataset.path + '='));
    if (!f) { rest.push(line); continue; }
    f.classList.add('wrong');
    const at = line.indexOf(f.dataset.path + ':'), s = f.querySelector('.fault');
    s.textContent = at < 0 ? line : line.slice(at + f.dataset.path.length + 1).trim();
    s.hidden = false;
  }
  problems.textContent = rest.join('\n');
  problems.hidden = rest.length === 0;
}
function effect() {
  const by = x => Object.fromEntries((x ? x.metrics : []).map(m => [m.name, m])), was = by(first), now = by(shown), other = by(held);
  const number = (m, unit) => el('td', {class: 'n', text: m ? fmt(m.value, unit) : ''});
  const ratio = (a, b) => el('td', {class: 'n', text: a && b && b.value ? fmt(a.value / b.value, '1') : ''});
  const heads = ['metric', 'file', 'now', 'ratio', ...(held ? ['held', 'now - held', 'now / held'] : [])];
  document.querySelector('#effect thead').replaceChildren(el('tr', {}, ...heads.map((h, i) => el('th', {class: i ? 'n' : undefined, text: h}))));
  document.querySelector('#effect tbody').replaceChildren(...Object.keys(Object.assign({}, was, other, now)).map(name => {
    const a = was[name], b = now[name], c = other[name], unit = (a || b || c).unit;
    return el('tr', {'data-metric': name}, el('td', {text: name}), number(a, unit), number(b, unit), ratio(b, a),
      ...(held ? [number(c, unit), number(b && c && {value: b.value - c.value}, unit), ratio(b, c)] : []));
  }));
  const line = (name, x, more) => el('p', {'data-of': name}, el('b', {text: name + (x && words(x.set, '') ? ' (' + words(x.set, '') + ')' : '') + ': '}), more);
  const both = x => [x.sentence, x.change && 'Against the file: ' + x.change].filter(Boolean).join(' ');
  const lines = [line('file', null, first.sentence || '')];
  if (held) lines.push(line('held', held, both(held)));
  if (words(shown.set, '')) lines.push(line('now', shown, both(shown)));
  if (held && shown.versus) lines.push(line('now against held', null, shown.versus));
  document.getElementById('sentences').replaceChildren(...lines);
}
async function post(what, body, signal) {
  const r = await fetch(base + 'api/' + what + '/' + path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), signal});
  if (!r.ok) throw new Error(await r.text());
  return r.json();
}
const shownOf = (set, a) => ({set, metrics: a.metrics || [], sentence: a.sentence, change: a.change, versus: a.versus});
async function simulate() {
  const mine = ++number, set = changed(), began = performance.now();
  if (going) going.abort();
  going = new AbortController();
  stop.hidden = false;
  said.textContent = 'simulating ...';
  let answer;
  try {
    if (!first && Object.keys(set).length) first = shownOf({}, await post('try', {set: {}}, going.signal));
    answer = await post('try', {set, held: held ? held.set : null}, going.signal);
  }
  catch (e) { if (mine === number) { stop.hidden = true; said.textContent = e.name === 'AbortError' ? 'cancelled' : 'the server does not answer'; } return; }
  if (mine !== number) return;
  stop.hidden = true;
  faults(answer.errors || []);
  const some = Object.keys(set).length > 0 && !answer.errors;
  for (const b of [copy, download, keep]) b.disabled = !some;
  hold.disabled = !some && !held;
  if (answer.errors) { said.textContent = 'not simulated'; return; }
  shown = shownOf(set, answer);
  if (!first) first = shown;
  effect();
  for (const name in answer.figures) { const x = charts[name]; if (x) { x.c = causeway.data.figures[name] = answer.figures[name]; if (x.chart) draw(x); else x.box.style.height = causeway.heightOf(x.c, x.box.clientWidth) + 'px'; } }
  const pre = document.getElementById('set');
  pre.hidden = !some;
  copy.dataset.text = words(set, '--set ');
  pre.textContent = 'causeway run ' + form.dataset.config + ' ' + copy.dataset.text;
  said.textContent = 'simulated in ' + Math.round(performance.now() - began) + ' ms' + (answer.status === 'complete' ? '' : ', ' + answer.status + ': ' + answer.reason);
  form.dataset.shown = String(mine);
}
form.addEventListener('input', e => { if (!e.target.closest('.field')) return; clearTimeout(timer); timer = setTimeout(simulate, 150); });
document.getElementById('reset').addEventListener('click', () => { for (const f of fields) inputOf(f).value = inputOf(f).dataset.was; simulate(); });
copy.addEventListener('click', async () => {
  try { await navigator.clipboard.writeText(copy.dataset.text); said.textContent = 'copied: ' + copy.dataset.text; }
  catch (e) { getSelection().selectAllChildren(document.getElementById('set')); said.textContent = 'the browser does not let pages copy: the command below is selected'; }
});
stop.addEventListener('click', () => { if (going) going.abort(); });
hold.addEventListener('click', () => {
  held = held ? null : shown;
  hold.setAttribute('aria-pressed', String(!!held));
  hold.textContent = held ? 'Let go' : 'Hold to compare';
  simulate();
});
// yaml asks for the file as it would be with the values set; a name also writes it.
async function yaml(name) {
  try {
    const a = await post('save', {set: changed(), as: name});
    if (!a.errors) return a;
    said.textContent = a.errors.join('; ');
  } catch (e) { said.textContent = 'not saved: ' + e.message; }
}
download.addEventListener('click', async () => { const a = await yaml(''); if (a) save(as.value || fresh(), new Blob([a.text], {type: 'application/yaml'})); });
keep.addEventListener('click', async () => {
  const a = await yaml(as.value || fresh());
  if (a) said.replaceChildren('saved as ', el('a', {href: base + 'config/' + a.path.split('/').map(encodeURIComponent).join('/'), text: a.path}));
});
const axes = document.getElementById('axes');
if (axes) {
  const row = axes.querySelector('.axis'), name = document.getElementById('sweepname'), told = document.getElementById('startsaid');
  name.value = form.dataset.config.split('/').pop().replace(/\.ya?ml$/, '') + '-sweep';
  document.getElementById('more').addEventListener('click', () => {
    const next = row.cloneNode(true);
    for (const i of next.children) i.value = '';
    [...axes.querySelectorAll('.axis')].pop().after(next);
    next.firstElementChild.focus();
  });
  axes.addEventListener('submit', async () => {
    const list = {}, button = document.getElementById('start');
    for (const r of axes.querySelectorAll('.axis')) { const [p, v] = [...r.children].map(i => i.value.trim()); if (p || v) list[p] = v; }
    button.disabled = true;
    told.textContent = 'checking every point ...';
    try {
      const a = await post('sweep', {set: changed(), axes: list, as: name.value.trim()});
      if (a.errors) told.textContent = a.errors.join('\n');
      else { told.textContent = a.path + ' was started' + (a.points ? ', ' + a.points + ' points' : ''); name.value = name.value.replace(/(-\d+)?$/, m => '-' + (m ? +m.slice(1) + 1 : 2)); }
    } catch (e) { told.textContent = 'not started: ' + e.message; }
    button.disabled = false;
  });
}
if (fields.length) simulate();
})();
