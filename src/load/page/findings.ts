import { type Html, html, nothing } from '#page/html'
import { number } from '#page/numbers'
import { badge, counted, folded, prose, table, type Tone } from '#page/parts'
import { printable } from '#text/printable'
import type { LoadReport, SampledRequirement } from '../load-report.ts'
import { judgedLaws } from '../results/kind.ts'

export function errorTable({ errors }: LoadReport): Html {
  if (errors.length === 0) return html`<p>There was none.</p>`
  const rows = errors
    .toSorted((a, b) => b.count - a.count)
    .map(({ phase, http, code, count }) => [
      printable(phase),
      http === null ? 'none' : String(http),
      printable(code ?? 'none'),
      number(count),
    ])
  const columns = [{ title: 'Where' }, { title: 'HTTP status' }, { title: 'Code' }, { title: 'Count', numeric: true }]
  return table('Errors by phase, status and code', columns, rows)
}

/** What scenarios with laws of their own judged; undefined where there was nothing. */
export function lawTable(report: LoadReport): Html | undefined {
  const laws = judgedLaws(report)
  if (laws.length === 0) return undefined
  const rows = laws.map(({ law, says, held, broken }) => [
    html`<span class="mono">${printable(law)}</span>`,
    broken > 0 ? badge('bad', 'broken') : badge('good', 'held'),
    prose(printable(says)),
    number(held),
    number(broken),
  ])
  const columns = [
    { title: 'Law' },
    { title: 'Verdict' },
    { title: 'What a correct target does' },
    { title: 'Held', numeric: true },
    { title: 'Broken', numeric: true },
  ]
  return table('What the scenario itself judged', columns, rows)
}

const tones: { readonly [verdict: string]: Tone } = { pass: 'good', fail: 'bad', warn: 'warn' }
const evidenceShown = 5

/** What the sampled conversations broke; what they bore out is folded. */
export function samples({ samples: sampled, requirements }: LoadReport): Html {
  const { conversations, entries, file } = sampled
  const broken = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const others = requirements.filter((row) => !broken.includes(row))
  const recorded =
    conversations === 0
      ? 'No conversation was recorded in full.'
      : `${counted(conversations, 'conversation')} recorded in full (${counted(entries, 'line')}${file === null ? '' : ` of ${printable(file)}`}) and judged by the same rules as in a check.`
  return html`<p>${recorded} ${broken.length === 0 ? 'They broke nothing.' : nothing}</p>
${broken.length === 0 ? nothing : requirementTable('Requirements that were broken', broken, file ?? '')}
${others.length === 0 ? nothing : folded(`${counted(others.length, 'requirement')} not broken`, requirementTable('Requirements that were not broken', others, file ?? ''))}`
}

function requirementTable(caption: string, rows: readonly SampledRequirement[], file: string): Html {
  const columns = [
    { title: 'Requirement' },
    { title: 'Verdict' },
    { title: 'What it says' },
    { title: 'Conversation: line' },
  ]
  return table(
    caption,
    columns,
    rows.map((row) => [
      html`<span class="mono">${printable(row.id)}</span>`,
      badge(tones[row.verdict] ?? 'calm', row.verdict.replace('_', ' ')),
      html`${prose(printable(row.text))} <span class="soft">§${printable(row.section)}</span>${row.reason === undefined ? nothing : html`<br><span class="soft">${printable(row.reason)}</span>`}`,
      places(row, file),
    ]),
  )
}

function places({ evidence }: SampledRequirement, file: string): Html {
  const shown = evidence.slice(0, evidenceShown)
  const rest = evidence.length - shown.length
  return html`${shown.map(({ conversation, line }, index) => html`${index === 0 ? nothing : html`<br>`}${printable(conversation, 60)}: <span class="mono">${printable(file)}:${line}</span>`)}${rest > 0 ? ` and ${rest} more` : nothing}`
}

/** Everything that was counted, for whoever looks for a number that no chart shows. */
export function countTable({ counts }: LoadReport): Html {
  const rows = Object.entries(counts).flatMap(([name, keys]) =>
    Object.entries(keys)
      .filter(([, count]) => count !== 0)
      .map(([key, count]) => [printable(name), printable(key), number(count)]),
  )
  if (rows.length === 0) return html`<p>Nothing was counted.</p>`
  const columns = [{ title: 'What' }, { title: 'Key' }, { title: 'Count', numeric: true }]
  return folded(counted(rows.length, 'count'), table('Everything that was counted', columns, rows))
}
