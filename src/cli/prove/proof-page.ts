import { requirements } from '#spec/register'
import { curveSection } from './curve.ts'
import type { JobResult } from './job.ts'
import { isKilled, type Matrix } from './matrix.ts'
import type { ValidationProof } from './validations.ts'

/** The proof as a page: the same matrix gives the same page, so that a change of it is a change of the proof. */
export function proofPage(matrix: Matrix): string {
  const killed = matrix.defects.filter(isKilled)
  const lines = [
    '# Proof',
    '',
    'What Greenroom says of its own reference target with a mistake seeded into it, and of legal alternatives of it. Made by `npx greenroom prove`.',
    '',
    '| what | count |',
    '| --- | ---: |',
    `| requirements | ${requirements.size} |`,
    `| of these testable | ${matrix.testable} |`,
    `| defects run | ${matrix.defects.length} |`,
    `| killed through their own requirement | ${killed.length} |`,
    `| not visible where the target answers at once | ${matrix.excused.length} |`,
    `| correct targets run (reference, variations, pairs, bundles of five) | ${matrix.variations.length} |`,
    `| of these reported | ${matrix.reported.length} |`,
    `| defects and correct targets that a second run decided, on quiet threads | ${matrix.second.length} |`,
    `| testable requirements without a proven defect | ${matrix.unproven.length} |`,
    '',
    ...(matrix.validations === undefined ? [] : validationSection(matrix.validations)),
    ...(matrix.curve === undefined ? [] : section('What a gate finds', curveSection(matrix.curve))),
    ...section('Not killed', matrix.survivors.map(survivor)),
    ...section('Reported though correct', matrix.reported.map(reported)),
    ...section(
      'Without a proven defect',
      matrix.unproven.map((id) => `- ${id}`),
    ),
    '## Kill matrix',
    '',
    'A defect stands beside its own requirement; requirements that it turns red as well follow.',
    '',
    '| defect | verdict | also red |',
    '| --- | --- | --- |',
    ...matrix.defects.map(row),
    '',
    '## Correct targets',
    '',
    ...matrix.variations.map((result) => `- ${result.id}: ${result.conformant === true ? 'conformant' : 'REPORTED'}`),
    '',
  ]
  return lines.join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, '']
}

/** The stage of the validations in one line. */
export function validationLine({ switched_off, caught }: ValidationProof): string {
  return `validations switched off alone: ${switched_off}, caught ${caught}`
}

function validationSection(proof: ValidationProof): string[] {
  const { validations, late, missed, untried, needless, unseen } = proof
  const lines = [
    `Of ${validations} reasons that the reference target has to refuse a request or an event, those were switched off, one at a time, for which alone something is refused in a run; then some requirement has to turn red.`,
    '',
    `- ${validationLine(proof)}`,
    `- of these caught together with the same validation of a start, to which a save may leave it: ${late}`,
    ...missed.map((id) => `- not caught: ${id}`),
    ...untried.map((id) => `- nothing is refused for it alone: ${id}`),
    ...needless.map((id) => `- listed, and caught: ${id}`),
    '',
    'What nothing turns red, by the reason (src/cli/prove/unseen-validations.json):',
    '',
    ...Object.entries(unseen).map(([reason, count]) => `- ${count}: ${reason}`),
  ]
  return section('Validations', lines)
}

function row(result: JobResult): string {
  const others = result.red.filter((id) => id !== result.requirement)
  const shown = others.slice(0, 8).join(', ')
  const more = others.length > 8 ? ` and ${others.length - 8} more` : ''
  return `| ${result.id} | ${result.verdict ?? ''} | ${shown}${more} |`
}

function survivor(result: JobResult): string {
  return `- ${result.id}: ${result.verdict} (${cell(result.reason ?? '')})`
}

function reported(result: JobResult): string {
  const what = [...result.red, ...result.open]
  return `- ${result.id}: ${what.slice(0, 12).map(cell).join('; ')}`
}

function cell(text: string): string {
  return text.replaceAll(/[\r\n|]+/g, ' ').slice(0, 240)
}
