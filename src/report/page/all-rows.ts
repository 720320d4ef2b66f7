import { type RequirementResult, verdicts } from '#judge/results'
import { type Html, html, nothing } from '#page/html'
import { counted, prose } from '#page/parts'
import { printable } from '#text/printable'
import { known } from '../counts.ts'
import { partOf } from '#spec/part-of'
import type { ShownRun } from './shown-run.ts'
import { columnName, verdictBadge } from './verdict-badge.ts'

/** Every requirement with a link of its own; filtered and searched by `browser/filter.js`. */
export function allRows(run: ShownRun): Html {
  const { requirements, unscored } = run.results
  const parts = [...Map.groupBy(requirements, ({ id }) => partOf(id))]
  return html`${controls(requirements)}
${parts.map(([part, rows]) => partTable(`part-${part}`, part, rows, run))}
${unscored.length === 0 ? nothing : partTable('part-unscored', 'newer than the release, not scored', unscored, run)}`
}

function controls(rows: readonly RequirementResult[]): Html {
  const seen = verdicts.filter((verdict) => rows.some((row) => known(row.verdict) === verdict))
  const box = (verdict: (typeof verdicts)[number]): Html => {
    const count = rows.filter((row) => row.verdict === verdict).length
    return html`<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${columnName(verdict)} <span class="soft">${count}</span></label>`
  }
  return html`<form class="filter" id="filter" hidden role="search" aria-label="Requirements">
<label class="search">Search <input type="search" id="search" placeholder="id, words or §4.1" autocomplete="off"></label>
<fieldset><legend>Verdicts</legend>${seen.map(box)}</fieldset>
<p id="found" role="status">${counted(rows.length, 'requirement')}</p></form>`
}

function partTable(id: string, name: string, rows: readonly RequirementResult[], run: ShownRun): Html {
  return html`<section class="part" id="${id}" aria-label="${name}"><h3>${printable(name)} <span class="soft">${rows.length}</span></h3>
<div class="scroll" tabindex="0" role="region" aria-label="${`Requirements of ${name}`}"><table class="rows">
<thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col">§</th><th scope="col" class="number">Seen</th></tr></thead>
<tbody>${rows.map((row) => rowItem(row, run))}</tbody></table></div></section>
`
}

function rowItem({ id, verdict, level, section, observations, reason }: RequirementResult, { text }: ShownRun): Html {
  const why = verdict === 'pass' ? nothing : html`<br><span class="soft">${printable(reason, 240)}</span>`
  return html`<tr id="${id}" data-verdict="${verdict}"><td>${verdictBadge(verdict)}</td><th scope="row"><a class="mono" href="#${id}">${printable(id)}</a><br>${prose(printable(text(id) ?? '', 600))}${why}</th><td>${printable(section)} <span class="soft">${level.toUpperCase()}</span></td><td class="number">${observations}</td></tr>
`
}
