// The list: names for the comparison.
(function () {
'use strict';
const {el, data} = causeway;
const names = document.getElementById('runnames');
for (const r of (data.tables.runs || {rows: []}).rows) names.append(el('option', {value: r[0]}));
})();
