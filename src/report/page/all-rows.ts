import { type RequirementResult, verdicts } from '#judge/results'
import { type Html, html, nothing } from '#page/html'
import { counted, folded, prose } from '#page/parts'
import { printable } from '#text/printable'
import { byFamily, type FamilyLine } from '../by-family.ts'
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
<tbody>${byFamily(rows, ({ verdict }) => verdict).map((line) => lineItem(line, run))}</tbody></table></div></section>
`
}

/** A row; or a family of one verdict, which opens. */
function lineItem({ name, text, rows }: FamilyLine<RequirementResult>, run: ShownRun): Html {
  const [row, ...others] = rows
  if (text === undefined || others.length === 0) return rowItem(row, run)
  const seen = rows.reduce((sum, { observations }) => sum + observations, 0)
  const members = html`<ul class="others">${rows.map((one) => html`<li id="${one.id}">${rowText(one, run)}</li>`)}</ul>`
  const head = html`<span class="mono">${printable(name)}</span><br>${prose(printable(text, 600))}`
  return html`<tr data-verdict="${row.verdict}" data-rows="${rows.length}"><td>${verdictBadge(row.verdict)}</td><th scope="row">${folded(head, members)}</th>${lastCells(row, seen)}</tr>
`
}

function rowItem(row: RequirementResult, run: ShownRun): Html {
  return html`<tr id="${row.id}" data-verdict="${row.verdict}"><td>${verdictBadge(row.verdict)}</td><th scope="row">${rowText(row, run)}</th>${lastCells(row, row.observations)}</tr>
`
}

function rowText({ id, verdict, reason }: RequirementResult, { text }: ShownRun): Html {
  const why = verdict === 'pass' ? nothing : html`<br><span class="soft">${printable(reason, 240)}</span>`
  return html`<a href="#${id}">${printable(id)}</a><br>${prose(printable(text(id) ?? '', 600))}${why}`
}

function lastCells({ section, level }: RequirementResult, seen: number): Html {
  return html`<td>${printable(section)} <span class="soft">${level.toUpperCase()}</span></td><td class="number">${seen}</td>`
}
