import type { RequirementResult, Results } from '#judge/results'
import { type Html, html, nothing } from '#page/html'
import { copyable, counted, folded } from '#page/parts'
import { printable } from '#text/printable'
import { byFamily, type FamilyLine } from '../by-family.ts'
import { isUntestable } from '../counts.ts'
import { type Unjudged, unjudgedByRemedy } from '../remedies.ts'

/** What was not judged, by what would make it judgeable; what no client can judge comes last, by itself. */
export function unjudged(results: Results): Html {
  const groups = unjudgedByRemedy(results)
  const untestable = results.requirements.filter(isUntestable)
  if (groups.length + untestable.length === 0) return html`<p>Everything was judged.</p>`
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return html`<p>${counted(count, 'requirement')} not judged in this run. None of them is held against the target.</p>${groups.map(group)}${untestable.length === 0 ? nothing : never(untestable)}`
}

function group({ remedy, rows }: Unjudged): Html {
  const { title, says, line } = remedy
  return html`<div class="remedy"><h3>${title}</h3><p>${says}</p>${line === undefined ? nothing : copyable('line to add', line)}${folded(counted(rows.length, 'requirement'), list(rows))}</div>`
}

function never(rows: readonly RequirementResult[]): Html {
  return html`<div class="remedy"><h3>Untestable</h3><p>No client can judge these, whatever a profile gives: nothing that it sends or sees shows them.</p>${folded(counted(rows.length, 'requirement'), list(rows))}</div>`
}

function list(rows: readonly RequirementResult[]): Html {
  return html`<ul class="others">${byFamily(rows, ({ reason }) => reason).map(item)}</ul>`
}

function item({ name, rows: [{ id, reason }] }: FamilyLine<RequirementResult>): Html {
  return html`<li><a class="mono" href="#${id}">${printable(name)}</a> <span class="soft">${printable(reason, 200)}</span></li>`
}
