import { type StimulusOutcome, type Phase, type State, step, type Stimulus, type World } from './model.ts'
import type { Seen } from './explain.ts'

/** What a correct service might have answered, as a phrase. */
export function legalThen(states: readonly State[], { stimulus, outcome }: Seen, world: World): string {
  if (outcome.is === 'together') return 'creates sent at once with one key to give one session'
  const legal = candidates(states, stimulus, outcome).filter((one) => step(states, stimulus, one, world).length > 0)
  const told = [...new Set(legal.map((one) => nameOf(stimulus, one)))]
  return `${deed(stimulus)} to give ${told.join(' or ')}`
}

/** What came, and what was taken to be true before. */
export function seenThen(states: readonly State[], { stimulus, outcome }: Seen): string {
  return `${nameOf(stimulus, outcome)}, while ${believed(states)}`
}

/** The truths, as a phrase: `s1 was closing or closed and s2 was active`. */
export function believed(states: readonly State[]): string {
  return states.map((state) => (state.length === 0 ? 'there was no session' : truth(state))).join(', or ')
}

function truth(state: State): string {
  return state
    .map(({ id, phases }) => `${id ?? 'an unknown one'} was ${phases.map((phase) => phaseWords[phase]).join(' or ')}`)
    .join(' and ')
}

const phaseWords: { readonly [phase in Phase]: string } = {
  active: 'active',
  asked: 'active or about to close',
  closing: 'closing',
  closed: 'closed',
  failed: 'failed',
}

function deed(stimulus: Stimulus): string {
  const deeds = { create: 'Create with a known key', list: 'List', 'close-another': 'a close of another' }
  if (!('id' in stimulus)) return deeds[stimulus.act]
  const visits = { get: 'Get', close: 'Close', connect: 'a control connection' }
  return `${visits[stimulus.act]} of ${stimulus.id}`
}

function nameOf({ act }: Stimulus, outcome: StimulusOutcome): string {
  switch (outcome.is) {
    case 'made':
      return `the session ${outcome.id}`
    case 'together':
      return outcome.of.map((one) => nameOf({ act: 'create' }, one)).join(', ')
    case 'shown':
      return outcome.status === undefined ? 'a session without a status' : `status ${outcome.status}`
    case 'listed':
      return listWords(outcome)
    case 'admitted':
      return 'a connection that is kept'
    case 'refused':
      return act === 'get' ? 'not found' : 'a refusal'
    default:
      return outcome.is === 'nothing' ? 'no connection' : outcome.is
  }
}

function listWords({ shown, missing }: Extract<StimulusOutcome, { is: 'listed' }>): string {
  const parts = [
    ...(shown.length > 0 ? [`a list with ${shown.join(', ')}`] : []),
    ...(missing.length > 0 ? [`${shown.length > 0 ? '' : 'a list '}without ${missing.join(', ')}`] : []),
  ]
  return parts.join(' ')
}

/** Outcomes of the same kind of doing. */
function candidates(states: readonly State[], { act }: Stimulus, outcome: StimulusOutcome): readonly StimulusOutcome[] {
  const ids = [...new Set(states.flatMap((state) => state.flatMap(({ id }) => id ?? [])))]
  const statuses = ['active', 'closing', 'closed', 'failed'] as const
  switch (act) {
    case 'create':
      return [...ids.map((id) => ({ is: 'made', id }) as const), { is: 'refused' }]
    case 'get':
      return [...statuses.map((status) => ({ is: 'shown', status }) as const), { is: 'refused' }]
    case 'close':
      return [{ is: 'accepted' }, { is: 'refused' }]
    case 'connect':
      return [{ is: 'admitted' }, { is: 'nothing' }]
    case 'list':
      return listCandidates(outcome)
    case 'close-another':
      return []
  }
}

function listCandidates(outcome: StimulusOutcome): readonly StimulusOutcome[] {
  if (outcome.is !== 'listed') return []
  const ids = [...outcome.shown, ...outcome.missing].slice(0, 4)
  const splits = ids.reduce<readonly { shown: readonly string[]; missing: readonly string[] }[]>(
    (left, id) =>
      left.flatMap(({ shown, missing }) => [
        { shown: [...shown, id], missing },
        { shown, missing: [...missing, id] },
      ]),
    [{ shown: [], missing: [] }],
  )
  return splits.map((split) => ({ is: 'listed', ...split }))
}
