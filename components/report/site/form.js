// The form of a configuration: a change is simulated, and metrics and figures follow.
(function () {
'use strict';
const {el, fmt, charts, draw} = causeway;
const form = document.getElementById('form'), fields = [...document.querySelectorAll('.field')], said = document.getElementById('said'), problems = document.getElementById('problems');
const base = location.pathname.split('/config/')[0] + '/', path = form.dataset.config.split('/').map(encodeURIComponent).join('/');
let first = null, timer = 0, number = 0;
const copy = document.getElementById('copy');
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
function effect(list) {
  const now = Object.fromEntries(list.map(m => [m.name, m])), was = Object.fromEntries((first || []).map(m => [m.name, m]));
  document.querySelector('#effect tbody').replaceChildren(...(first || []).map(m => {
    const n = now[m.name], ratio = n && m.value ? n.value / m.value : null;
    return el('tr', {'data-metric': m.name}, el('td', {text: m.name}), el('td', {class: 'n', text: fmt(m.value, m.unit)}), el('td', {class: 'n', text: n ? fmt(n.value, n.unit) : ''}), el('td', {class: 'n', text: ratio === null ? '' : fmt(ratio, '1')}));
  }), ...list.filter(m => !was[m.name]).map(m => el('tr', {'data-metric': m.name}, el('td', {text: m.name}), el('td'), el('td', {class: 'n', text: fmt(m.value, m.unit)}), el('td'))));
}
async function simulate() {
  const mine = ++number, set = changed(), began = performance.now();
  said.textContent = 'simulating ...';
  let answer;
  try {
    const r = await fetch(base + 'api/try/' + path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({set})});
    answer = await r.json();
  } catch (e) { if (mine === number) said.textContent = 'the server does not answer'; return; }
  if (mine !== number) return;
  faults(answer.errors || []);
  if (answer.errors) { said.textContent = 'not simulated'; return; }
  if (!first) first = answer.metrics;
  effect(answer.metrics);
  for (const name in answer.figures) { const x = charts[name]; if (x) { x.c = causeway.data.figures[name] = answer.figures[name]; if (x.chart) draw(x); else x.box.style.height = causeway.heightOf(x.c, x.box.clientWidth) + 'px'; } }
  const words = Object.entries(set).map(([k, v]) => '--set ' + (/[^\w.:@%+=,-]/.test(v) ? "'" + k + '=' + v + "'" : k + '=' + v)), pre = document.getElementById('set');
  pre.hidden = !words.length;
  copy.disabled = !words.length;
  copy.dataset.text = words.join(' ');
  pre.textContent = 'causeway run ' + form.dataset.config + ' ' + words.join(' ');
  said.textContent = 'simulated in ' + Math.round(performance.now() - began) + ' ms' + (answer.status === 'complete' ? '' : ', ' + answer.status + ': ' + answer.reason);
  form.dataset.shown = String(mine);
}
form.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(simulate, 150); });
document.getElementById('reset').addEventListener('click', () => { for (const f of fields) inputOf(f).value = inputOf(f).dataset.was; simulate(); });
copy.addEventListener('click', async () => {
  try { await navigator.clipboard.writeText(copy.dataset.text); said.textContent = 'copied: ' + copy.dataset.text; }
  catch (e) { getSelection().selectAllChildren(document.getElementById('set')); said.textContent = 'the browser does not let pages copy: the command below is selected'; }
});
if (fields.length) simulate();
})();
