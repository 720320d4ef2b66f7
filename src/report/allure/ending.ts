import type { RequirementResult } from '#judge/results'
import type { SkippedScenario } from '#trace/entry'
import type { AllureStatus, Recorded } from './model.ts'
import { weights } from './steps.ts'
import { printable } from '#text/printable'
import { breachesOf, type Story, type ToldBreach } from '../story.ts'

/** One scenario that a report shows as a test. */
export interface Case {
  readonly id: string
  readonly proves: readonly string[]
  readonly story: Story
  /** Why the run left it out. */
  readonly skipped?: SkippedScenario
  /** Missing where its test never came to an end. */
  readonly recorded: Recorded | undefined
}

export interface Ending {
  readonly status: AllureStatus
  /** Why it is not simply passed; empty where it is. */
  readonly message: string
  /** What speaks against requirements that failed, warned or are waived. */
  readonly breaches: readonly ToldBreach[]
}

export interface EndingSetting {
  readonly rows: ReadonlyMap<string, RequirementResult>
  /** Whether the run came to its own end. */
  readonly whole: boolean
  /** The sentence of a requirement, where the register has one. */
  readonly text: (id: string) => string | undefined
}

/** How a scenario ended, in Allure's words. Our own mistakes come before the target's, those before what stood in the way. */
export function endingOf(one: Case, setting: EndingSetting): Ending {
  const breaches = breachesOf(one.story).filter(({ requirement }) => weightOf(requirement, setting) !== 'silent')
  const ending = (status: AllureStatus, message: string): Ending => ({ status, message: message.trim(), breaches })
  const mistake = mistakeOf(one, setting)
  if (mistake !== undefined) return ending('broken', printable(mistake))
  const failing = breaches.filter(({ requirement }) => weightOf(requirement, setting) === 'fails')
  if (failing.length > 0) return ending('failed', messageOf(failing, setting))
  const obstacle = obstacleOf(one)
  if (obstacle !== undefined) return ending('skipped', printable(obstacle))
  if (breaches.length > 0) return ending('passed', messageOf(breaches, setting))
  if (isBorneOut(one, setting)) return ending('passed', '')
  return ending('skipped', printable(whyOpen(one.story)))
}

function weightOf(requirement: string, { rows }: EndingSetting): 'fails' | 'told' | 'silent' {
  const row = rows.get(requirement)
  return row === undefined ? 'silent' : weights[row.verdict]
}

function mistakeOf({ id, story, skipped, recorded }: Case, { whole }: EndingSetting): string | undefined {
  if (skipped !== undefined) return undefined
  const end = story.record?.end?.entry
  if (end?.outcome === 'failed' || story.mistakes.length > 0)
    return story.mistakes[0] ?? end?.reason ?? 'Greenroom failed'
  if (recorded?.status === 'broken' || recorded?.status === 'failed') return `the test of ${id} failed in itself`
  return end === undefined && whole ? `${id} was planned and never ended` : undefined
}

function obstacleOf({ story, skipped }: Case): string | undefined {
  if (skipped !== undefined) return `${skipped.why}: ${whySkipped(skipped)}`
  const end = story.record?.end?.entry
  if (end === undefined) return 'interrupted: the run ended before this scenario did'
  if (end.outcome === 'completed') return undefined
  return `${end.reason_code ?? end.outcome}: ${end.reason ?? end.outcome}`
}

function whySkipped({ why, what = 'it' }: SkippedScenario): string {
  if (why === 'not_applicable') return `the profile declares ${what} away`
  if (why === 'tier') return `runs in tier ${what} only`
  return why.startsWith('missing_') ? `the profile gives no ${what}` : 'left out of the run'
}

/** Silence is never success: a claim must have held, or a rule must have borne out what the scenario is there to show. */
function isBorneOut({ proves, story }: Case, { rows }: EndingSetting): boolean {
  const judged = (id: string): boolean => !['inconclusive', 'not_applicable', undefined].includes(rows.get(id)?.verdict)
  if (story.claims.some(({ requirement, outcome }) => outcome.state === 'held' && judged(requirement))) return true
  const claimed = new Set(story.claims.map(({ requirement }) => requirement))
  return proves.some((id) => !claimed.has(id) && rows.get(id)?.verdict === 'pass')
}

function whyOpen({ claims }: Story): string {
  const open = claims.map(({ outcome }) => outcome).find(({ state }) => state === 'unobserved')
  return open?.state === 'unobserved' ? `${open.code}: ${open.why}` : 'nothing that it showed could be judged'
}

const requirementsShown = 10

/** One paragraph a requirement: what it says, what was expected, what came. */
function messageOf(breaches: readonly ToldBreach[], { rows, text }: EndingSetting): string {
  const groups = [...Map.groupBy(breaches, ({ requirement }) => requirement)]
  const paragraphs = groups.slice(0, requirementsShown).map(([id, [first, ...more]]) => {
    const row = rows.get(id)
    const place = row === undefined ? '' : ` (${row.level.toUpperCase()} §${row.section}, ${row.verdict})`
    return [
      `${printable(id)}${place}: ${text(id) ?? ''}`,
      `expected: ${printable(first?.expected ?? '')}`,
      `got: ${printable(first?.got ?? '')}`,
      ...(more.length === 0 ? [] : [`and ${more.length} more`]),
    ].join('\n')
  })
  const rest = groups.length - requirementsShown
  return [...paragraphs, ...(rest > 0 ? [`and ${rest} more requirements, see results.json`] : [])].join('\n\n')
}
