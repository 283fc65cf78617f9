// The console: a client of /graphql. It builds the page from text nodes only; no answer ever becomes markup.
'use strict';

const $ = (id) => document.getElementById(id);
const fields = { query: $('query'), variables: $('variables'), headers: $('headers') };
let running = null; // the AbortController of the operation under way

// el makes an element of a class, with children: nodes or texts.
function el(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const plural = (n, one) => `${n} ${one}${n === 1 ? '' : 's'}`;
const figure = (n) => Number(n ?? 0).toLocaleString('en', { maximumFractionDigits: 2 });

// Editing.

function load(button) {
  fields.query.value = button.dataset.query;
  const variables = button.dataset.variables;
  fields.variables.value = variables ? JSON.stringify(JSON.parse(variables), null, 2) : '';
  for (const other of document.querySelectorAll('#examples [aria-current]')) other.removeAttribute('aria-current');
  button.setAttribute('aria-current', 'true');
  keep();
}

// keep saves the texts until the tab is closed; headers may hold secrets and are not saved.
function keep() {
  try {
    sessionStorage.setItem('keyfirst', JSON.stringify({ query: fields.query.value, variables: fields.variables.value }));
  } catch { /* storage is switched off: the texts live as long as the page */ }
}

function restore() {
  try {
    const kept = JSON.parse(sessionStorage.getItem('keyfirst'));
    if (kept?.query) {
      fields.query.value = kept.query;
      fields.variables.value = kept.variables ?? '';
      return;
    }
  } catch { /* nothing usable was kept */ }
  load(document.querySelector('#examples button'));
}

// insert types a text, so that the browser can undo it.
function insert(area, text) {
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  }
}

// indent moves the lines of the selection by one step.
function indent(area, outwards) {
  const { value, selectionStart, selectionEnd } = area;
  if (!outwards && selectionStart === selectionEnd) return insert(area, '  ');
  const from = value.lastIndexOf('\n', selectionStart - 1) + 1;
  const lines = value.slice(from, selectionEnd);
  const moved = outwards ? lines.replace(/^ {1,2}/gm, '') : lines.replace(/^/gm, '  ');
  if (moved === lines) return undefined;
  area.setSelectionRange(from, selectionEnd);
  insert(area, moved);
  area.setSelectionRange(from, from + moved.length);
  return undefined;
}

// onKey gives Tab to the text, unless Escape was pressed just before: then it moves on, as everywhere else.
function onKey(event) {
  const area = event.currentTarget;
  if (event.key === 'Tab' && !area.leaving && !event.ctrlKey && !event.altKey) {
    event.preventDefault();
    indent(area, event.shiftKey);
  }
  if (event.key === 'Enter' && area === fields.query && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const line = area.value.slice(area.value.lastIndexOf('\n', area.selectionStart - 1) + 1, area.selectionStart);
    insert(area, '\n' + line.match(/^ */)[0] + (/[{([]\s*$/.test(line) ? '  ' : ''));
  }
  if (event.key !== 'Shift') area.leaving = event.key === 'Escape';
}

// Running.

// chosen is the operation the caret is in, when the document has several.
function chosen(query) {
  const names = [...query.matchAll(/\b(?:query|mutation)\s+([A-Za-z_]\w*)/g)];
  if (names.length < 2) return undefined;
  const before = names.filter((match) => match.index <= fields.query.selectionStart);
  return (before.at(-1) ?? names[0])[1];
}

function requestHeaders() {
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json' });
  for (const line of fields.headers.value.split('\n').filter((text) => text.trim())) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`Not a header: ${line}`);
    headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  headers.set('X-Explain', '1');
  return headers;
}

function requestBody() {
  const query = fields.query.value;
  const text = fields.variables.value.trim();
  let variables;
  try {
    variables = text ? JSON.parse(text) : undefined;
  } catch (error) {
    throw new Error(`The variables are not JSON: ${error.message}`);
  }
  return JSON.stringify({ query, variables, operationName: chosen(query) });
}

async function run() {
  if (running) return running.abort();
  running = new AbortController();
  $('run').firstChild.data = 'Stop ';
  say('running…');
  const start = performance.now();
  try {
    const response = await fetch('/graphql', {
      method: 'POST', headers: requestHeaders(), body: requestBody(), signal: running.signal,
    });
    const text = await response.text();
    show(response, text, performance.now() - start);
  } catch (error) {
    say(error.name === 'AbortError' ? 'stopped' : error.message, error.name !== 'AbortError');
  } finally {
    running = null;
    $('run').firstChild.data = 'Run ';
  }
  return undefined;
}

function say(text, wrong = false) {
  $('status').textContent = text;
  $('status').classList.toggle('wrong', wrong);
}

// Showing.

function show(response, text, ms) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    $('result').textContent = text;
    cost(undefined);
    return say(`${response.status} · not JSON`, true);
  }
  const { explain, ...extensions } = answer.extensions ?? {};
  const body = { ...answer };
  delete body.extensions;
  if (Object.keys(extensions).length) body.extensions = extensions;
  paint(JSON.stringify(body, null, 2));
  cost(explain);
  const errors = answer.errors?.length ?? 0;
  const spent = explain?.actual ? ` · ${plural(explain.actual.requests ?? 0, 'request')}` : '';
  return say(`${response.status}${errors ? ` · ${plural(errors, 'error')}` : ''}${spent} · ${figure(Math.round(ms))} ms`, errors > 0);
}

const maxPainted = 300_000;

// paint shows JSON, coloured unless it is very long.
function paint(json) {
  $('copy').hidden = false;
  const result = $('result');
  result.replaceChildren();
  if (json.length > maxPainted) return result.append(json);
  let last = 0;
  for (const token of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g)) {
    result.append(json.slice(last, token.index));
    const kind = token[2] ? 'name' : token[1] ? 'string' : /[a-z]/.test(token[0][0]) ? 'word' : 'number';
    result.append(el('span', `j-${kind}`, token[1] ?? token[0]), token[2] ?? '');
    last = token.index + token[0].length;
  }
  return result.append(json.slice(last));
}

// toneOf is the colour class of a DynamoDB operation.
function toneOf(operation) {
  if (['GetItem', 'BatchGetItem', 'Query'].includes(operation)) return operation;
  return /Write|Put|Update|Delete/.test(operation) ? 'Write' : 'Other';
}

function cost(explain) {
  const { actual, plan } = explain ?? {};
  $('totals').replaceChildren(...totals(actual, plan));
  $('actual').replaceChildren(...waterfall(actual));
  $('plan').replaceChildren(...(plan?.steps?.length ? [planTable(plan)] : []));
  document.querySelector('.cost').classList.toggle('planned', Boolean(plan?.steps?.length));
}

// totals are the figures of the run, each against what the plan allowed.
function totals(actual, plan) {
  if (!actual && !plan) return [];
  const entries = [['rounds', 'Rounds'], ['requests', 'Requests'], ['readUnits', 'Read units'], ['writeUnits', 'Write units'], ['retries', 'Retries']];
  return entries
    .filter(([key], i) => i < 3 || actual?.[key] > 0 || plan?.[key] > 0)
    .map(([key, label]) => total(label, actual?.[key], plan?.[key]));
}

function total(label, used, allowed) {
  const value = el('dd', '', used === undefined ? '–' : figure(used));
  if (allowed !== undefined) value.append(el('small', '', `of ${figure(allowed)} planned`));
  const box = el('div', '', el('dt', '', label), value);
  if (allowed > 0 && used !== undefined) {
    const fill = el('i');
    fill.style.setProperty('--share', `${Math.min(100, (100 * used) / allowed)}%`);
    const meter = el('div', 'meter', fill);
    meter.setAttribute('aria-hidden', 'true');
    value.after(meter);
  }
  return box;
}

function waterfall(actual) {
  const calls = actual?.calls ?? [];
  if (!calls.length) {
    return [el('p', 'empty', actual ? 'No request to the table was needed.' : 'This answer does not say what it cost.')];
  }
  const end = Math.max(...calls.map((call) => call.startMs + call.durationMs), 0.001);
  const rounds = Map.groupBy
    ? Map.groupBy(calls, (call) => call.round)
    : calls.reduce((map, call) => map.set(call.round, [...(map.get(call.round) ?? []), call]), new Map());
  const sections = [...rounds].sort(([a], [b]) => a - b).map(([round, list]) => roundOf(round, list, end));
  return [axis(end), ...sections];
}

function axis(end) {
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => el('span', '', figure(end * part)));
  const row = el('div', 'call axis', el('span'), el('span', 'scale', ...marks), el('span', 'figure', 'ms'), el('span', 'figure', 'units'));
  row.setAttribute('aria-hidden', 'true');
  return row;
}

function roundOf(round, calls, end) {
  const rows = calls.sort((a, b) => a.startMs - b.startMs).map((call) => callRow(call, end));
  return el('section', 'round', el('h3', '', `Round ${round}`), el('ol', '', ...rows));
}

function callRow(call, end) {
  const bar = el('i');
  bar.style.setProperty('--from', `${(100 * call.startMs) / end}%`);
  bar.style.setProperty('--width', `${(100 * call.durationMs) / end}%`);
  const track = el('span', 'track', bar);
  track.setAttribute('aria-hidden', 'true');
  const units = call.writeUnits > 0 ? `${figure(call.writeUnits)} WU` : `${figure(call.readUnits)} RU`;
  const what = el('span', 'what', el('b', '', call.operation), ' ', el('span', '', `${call.pattern} ·\u00a0${plural(call.keys ?? 0, 'key').replace(' ', '\u00a0')}`));
  return el('li', `call ${toneOf(call.operation)}`, what, track,
    el('span', 'figure', `${figure(call.durationMs)} ms`), el('span', 'figure', units));
}

// breakable lets a path be broken behind its dots.
function breakable(path) {
  return path.split(/(?<=\.)/).flatMap((part) => [part, el('wbr')]);
}

function planTable(plan) {
  const head = ['Round', 'Field', 'Request', 'Keys', 'Units'].map((text, i) => {
    const cell = el('th', i > 2 ? 'n' : '', text);
    cell.scope = 'col';
    return cell;
  });
  const rows = plan.steps.map((step) => el('tr', toneOf(step.operation),
    el('td', '', String(step.round)),
    el('td', '', ...breakable(step.path), el('span', '', step.pattern)),
    el('td', '', el('b', '', step.requests > 1 ? `${step.requests} × ${step.operation}` : step.operation)),
    el('td', 'n', figure(step.keys)),
    el('td', 'n', figure(step.writeUnits > 0 ? step.writeUnits : step.readUnits))));
  const table = el('table', '', el('caption', '', 'The plan: at most this, known before it ran'),
    el('thead', '', el('tr', '', ...head)), el('tbody', '', ...rows));
  return el('div', 'scroll', table);
}

// Wiring.

for (const area of Object.values(fields)) {
  area.addEventListener('keydown', onKey);
  area.addEventListener('input', keep);
}
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  run();
});
$('run').addEventListener('click', run);
$('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText($('result').textContent);
  say('copied');
});
$('examples').addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  load(button);
  if (!('writes' in button.dataset)) run();
});
restore();
