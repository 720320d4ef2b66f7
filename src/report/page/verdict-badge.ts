import type { Verdict } from '#judge/results'
import type { Html } from '#page/html'
import { badge, type Tone } from '#page/parts'
import { type Column, known } from '../counts.ts'

const shown: { readonly [column in Column]: { readonly tone: Tone; readonly name: string } } = {
  pass: { tone: 'good', name: 'pass' },
  fail: { tone: 'bad', name: 'fail' },
  warn: { tone: 'warn', name: 'warn' },
  inconclusive: { tone: 'calm', name: 'not judged' },
  untestable: { tone: 'calm', name: 'untestable' },
  not_applicable: { tone: 'calm', name: 'not applicable' },
  waived: { tone: 'warn', name: 'waived' },
}

export function verdictBadge(verdict: Verdict): Html {
  const { tone, name } = shown[known(verdict)]
  return badge(tone, name)
}

export function columnName(column: Column): string {
  return shown[column].name
}
