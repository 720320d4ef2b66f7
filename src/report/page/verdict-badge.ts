import type { Verdict } from '#judge/results'
import type { Html } from '#page/html'
import { badge, type Tone } from '#page/parts'
import { known } from '../counts.ts'

const shown: { readonly [verdict in Verdict]: { readonly tone: Tone; readonly name: string } } = {
  pass: { tone: 'good', name: 'pass' },
  fail: { tone: 'bad', name: 'fail' },
  warn: { tone: 'warn', name: 'warn' },
  inconclusive: { tone: 'calm', name: 'not judged' },
  not_applicable: { tone: 'calm', name: 'not applicable' },
  waived: { tone: 'warn', name: 'waived' },
}

export function verdictBadge(verdict: Verdict): Html {
  const { tone, name } = shown[known(verdict)]
  return badge(tone, name)
}

export function verdictName(verdict: Verdict): string {
  return shown[known(verdict)].name
}
