import type { RequirementResult, Results } from '#judge/results'
import { printable } from '#text/printable'
import { isUntestable } from './counts.ts'

/** What would make rows judgeable that a run did not judge. */
export interface Remedy {
  /** What stood in the way, in a few words. */
  readonly title: string
  /** What to do. */
  readonly says: string
  /** The line to add to the profile, or the option. */
  readonly line?: string
}

/** Rows without a verdict that one remedy would help. */
export interface Unjudged {
  readonly remedy: Remedy
  readonly rows: readonly RequirementResult[]
}

/**
 * What this run did not judge, by what would make it judgeable, the largest group first; what only happens by itself comes
 * last. Rows that no client can judge are not in it.
 */
export function unjudgedByRemedy({ requirements }: Results): readonly Unjudged[] {
  const rows = requirements.filter((row) => row.verdict === 'inconclusive' && !isUntestable(row))
  const groups = [...Map.groupBy(rows, (row) => remedyOf(row).title)].map(([, all]) => all)
  return groups
    .toSorted((one, other) => rank(one) - rank(other) || other.length - one.length)
    .flatMap((all) => (all[0] === undefined ? [] : [{ remedy: remedyOf(all[0]), rows: all }]))
}

function rank([first]: readonly RequirementResult[]): number {
  return first?.reason_code === 'passive' ? 1 : 0
}

const byCode: { readonly [code: string]: Remedy } = {
  passive: {
    title: 'What happens by itself did not happen',
    says: 'Nothing that a client sends causes it, and nothing is missing in the profile: it is judged when it comes.',
  },
  model_choice: { title: 'The model or service chose otherwise', says: 'Another run may see it.' },
  network: { title: 'The network stood in the way', says: 'Run it again.' },
  quota: {
    title: 'No quota was left',
    says: 'Run it again later, or with keys of their own; "npx greenroom doctor" shows what is in use.',
  },
  budget: { title: 'The budget was spent', says: 'Allow the run to send more.', line: '--max-requests 2000' },
  prerequisite: { title: 'Something else had to work first', says: 'See what was broken, and mend that first.' },
  interrupted: { title: 'The run was cut short', says: 'Let it run to its end.' },
}

/** More sessions were open at once than the workspace allows: a run that knows the cap keeps below it. */
const noPlace: Remedy = {
  title: 'No place was left for another session (30006)',
  says: 'Say in the profile how many sessions the workspace allows at once, under "limits", or run it again when others have closed theirs; "npx greenroom doctor" shows what is open.',
  line: '"primary": { "concurrent_sessions": 1 }',
}

/** As the judge words what a profile lacks. */
const lacks = /(?:gives no (key|trigger|medium) |missing_(key|trigger|media) \()([a-z_]+)\)?$/

function remedyOf({ reason, reason_code = 'prerequisite' }: RequirementResult): Remedy {
  const [, worded, coded, name = ''] = lacks.exec(reason) ?? []
  const kind = worded ?? coded
  if (kind === 'key') {
    const says = 'Name the environment variable of such a key in the profile, under "keys".'
    return { title: `Needs the key ${name}`, says, line: `"${name}": "GR_${name.toUpperCase()}"` }
  }
  if (kind === 'trigger') {
    const says = 'Give the profile an input that makes this target do it, under "triggers".'
    return { title: `Needs the trigger ${name}`, says, line: `"${name}": "…"` }
  }
  if (kind !== undefined) {
    const says = 'Give the profile a file that the target can fetch over HTTPS, under "media".'
    return { title: `Needs the medium ${name}`, says, line: `"${name}": "https://…"` }
  }
  const leftOutBy = /left out by (--[\w-]+)/.exec(reason)?.[1]
  if (leftOutBy !== undefined) {
    const says = leftOutBy === '--only' ? ', or name what shows it' : ', or with more to spend'
    const onPurpose = leftOutBy === '--skip' || leftOutBy === '--max-failures'
    return { title: `Left out by ${leftOutBy}`, says: `Run it without ${leftOutBy}${onPurpose ? '' : says}.` }
  }
  if (reason_code === 'tier') return tierRemedy(reason)
  if (reason_code === 'quota' && reason.includes('30006')) return noPlace
  return byCode[reason_code] ?? { title: printable(reason_code), says: printable(reason, 160) }
}

/** The judge names the tier that reaches a row, or the one of the run that did not. */
function tierRemedy(reason: string): Remedy {
  if (reason.includes('declared-away')) {
    return { title: 'Shown only with an ability that is declared away', says: 'Nothing is to be done.' }
  }
  const missed = /not reached in tier (\w+)$/.exec(reason)?.[1]
  const named = /tier (?:\((\w+)\)|(\w+))$/.exec(reason)
  const next = missed === undefined ? (named?.[1] ?? named?.[2] ?? 'full') : missed === 'smoke' ? 'standard' : 'full'
  return { title: `Needs the tier ${next}`, says: 'A larger tier reaches it.', line: `--tier ${next}` }
}
