import type { RequirementResult, Results } from '#judge/results'
import { type Html, html, nothing } from '#page/html'
import { copyable, counted, folded } from '#page/parts'
import { printable } from '#text/printable'

interface Remedy {
  /** What to do. */
  readonly says: string
  /** The line to add to the profile, or the command. */
  readonly line?: string
}

/** What was not judged, by what would make it judgeable; what nothing would comes last. */
export function unjudged(results: Results): Html {
  const rows = results.requirements.filter(({ verdict }) => verdict === 'inconclusive')
  if (rows.length === 0) return html`<p>Everything was judged.</p>`
  const groups = [...Map.groupBy(rows, groupOf)].toSorted(
    ([a, one], [b, other]) => rank(a) - rank(b) || other.length - one.length,
  )
  return html`<p>${counted(rows.length, 'requirement')} not judged. None of them is held against the target.</p>${groups.map(([, all]) => group(all))}`
}

function rank(name: string): number {
  return name.startsWith('passive') ? 1 : 0
}

function groupOf({ reason, reason_code = 'prerequisite' }: RequirementResult): string {
  return ['missing_key', 'missing_trigger', 'missing_media', 'tier'].includes(reason_code)
    ? `${reason_code}: ${reason}`
    : reason_code
}

function group(rows: readonly RequirementResult[]): Html {
  const [first] = rows
  const { says, line } = remedyOf(first?.reason_code ?? 'prerequisite', first?.reason ?? '')
  const list = html`<ul class="others">${rows.map((row) => html`<li><a class="mono" href="#${row.id}">${printable(row.id)}</a> <span class="soft">${printable(row.reason, 200)}</span></li>`)}</ul>`
  return html`<div class="remedy"><h3>${titleOf(first?.reason_code ?? 'prerequisite', first?.reason ?? '')}</h3><p>${says}</p>${line === undefined ? nothing : copyable('line to add', line)}${folded(counted(rows.length, 'requirement'), list)}</div>`
}

const titles: { readonly [code: string]: string } = {
  passive: 'A client cannot cause them',
  model_choice: 'The model chose otherwise',
  network: 'The network stood in the way',
  quota: 'No quota was left',
  budget: 'The budget was spent',
  prerequisite: 'Something else had to work first',
  interrupted: 'The run was interrupted',
}

function titleOf(code: string, reason: string): string {
  const [, kind, name] = needs.exec(reason) ?? []
  if (kind !== undefined) return `Need the ${kind} ${name}`
  return titles[code] ?? printable(`${code}: ${reason}`)
}

/** As the judge words what a profile lacks. */
const needs = /gives no (key|trigger|medium) ([a-z_]+)$/

const remedies: { readonly [code: string]: Remedy } = {
  passive: { says: 'Nothing that a client sends shows these: nothing is missing in the profile.' },
  model_choice: { says: 'The model chose otherwise. Another run may see it.' },
  network: { says: 'The network stood in the way. Run it again.' },
  quota: { says: 'The keys had no quota left. Run it again later, or with keys of their own.' },
  budget: { says: 'The run was not allowed to send more.', line: '--max-requests 2000' },
  prerequisite: { says: 'Something else had to work first: see what was broken.' },
  interrupted: { says: 'The run was interrupted.' },
}

function remedyOf(code: string, reason: string): Remedy {
  const [, kind, name = ''] = needs.exec(reason) ?? []
  if (kind === 'key')
    return {
      says: 'Name the environment variable of such a key in the profile, under "keys".',
      line: `"${name}": "GR_${name.toUpperCase()}"`,
    }
  if (kind === 'trigger')
    return { says: 'Give the profile an input that makes this target do it, under "triggers".', line: `"${name}": "…"` }
  if (kind === 'medium')
    return {
      says: 'Give the profile a file that the target can fetch over HTTPS, under "media".',
      line: `"${name}": "https://…"`,
    }
  const tier = /tier (\w+)$/.exec(reason)?.[1]
  if (code === 'tier' && tier !== undefined) return { says: 'A larger tier reaches it.', line: `--tier ${tier}` }
  return remedies[code] ?? { says: printable(reason) }
}
