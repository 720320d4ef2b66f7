import { cutOff } from '../core/cuts.ts'
import { flawFindings } from '../core/events/chain-laws.ts'
import type { CommonCount, CommonTime } from '../core/common-measures.ts'
import { endedByService, type Finding, type Findings, lostFor, manyOf, some } from '../core/findings.ts'
import { silences } from '../core/silence.ts'
import type { Tally } from '../core/tally.ts'
import type { ResponseCount, ResponseTime } from './response-measures.ts'
import type { Facts } from './scenario.ts'
import { turnedAwayFindings } from './turned-away.ts'

type ResponseTally = Tally<ResponseCount | CommonCount, ResponseTime | CommonTime>

/**
 * Disorder and gaps in a chain are the target's in any case, and that it calls wrong what is right, silence where the generator cannot have missed what came; that
 * something took too long is so only when we were not late.
 */
export function judgeConversations(tally: ResponseTally, { workload }: Pick<Facts, 'workload'>): Findings {
  const silent = silences(silencesIn(tally), tally, workload.patience_ms)
  const flawed = flawFindings(tally)
  const conversations = tally.counts('conversations')
  const begun = conversations.get('begun') ?? 0
  const away = turnedAwayFindings(tally, 'conversations', unreached(tally))
  const cut = cutOff(tally, conversations, { whole: 'whole', begun, what: 'conversations' })
  return {
    broken: [...flawed.broken, ...silent.broken, ...rejectionsIn(tally)],
    trouble: [...silent.trouble, ...cut.trouble, ...away.trouble, ...troubleIn(tally)],
    invalid: [...flawed.invalid, ...silent.invalid, ...away.invalid, ...invalidIn(tally), ...cut.invalid],
  }
}

function silencesIn(tally: ResponseTally): Finding[] {
  const [responses, updates] = [tally.counts('responses'), tally.counts('updates')]
  return [
    ...some(
      responses.get('silent') ?? 0,
      'responses did not begin in time',
      'control-channel.response-create.yields-created',
    ),
    ...some(responses.get('unended') ?? 0, 'responses did not end in time', 'control-channel.response-done.always'),
    ...some(updates.get('silent') ?? 0, 'session updates were not answered in time'),
    ...some(
      updates.get('unended') ?? 0,
      'session updates did not end in time',
      'control-channel.session-update.accepted-yields-done',
    ),
  ]
}

/** However late we are, what we ask for is right. */
function rejectionsIn(tally: ResponseTally): Finding[] {
  const responses = tally.counts('responses')
  return [
    ...some((responses.get('rejected') ?? 0) + wronglyBounded(responses, 'bounded'), 'responses were rejected'),
    ...some(tally.counts('updates').get('rejected') ?? 0, 'session updates were rejected'),
  ]
}

function troubleIn(tally: ResponseTally): Finding[] {
  const conversations = tally.counts('conversations')
  const responses = tally.counts('responses')
  const updates = tally.counts('updates')
  const done = updates.get('done') ?? 0
  const judged = tally.total('responses') - tally.total('responses', ['cut', 'overtime'])
  const asked = tally.total('updates', ['acknowledged', 'rejected', 'silent', 'cut'])
  return [
    ...some(conversations.get('unopened') ?? 0, 'control channels did not open'),
    ...some(responses.get('flooded') ?? 0, 'responses came with more events than their text can need'),
    ...some(responses.get('unfinished') ?? 0, 'responses ended cancelled'),
    ...manyOf(
      (responses.get('failed') ?? 0) + wronglyBounded(responses, 'shortened'),
      tally.total('responses'),
      'responses ended failed or incomplete',
    ),
    ...manyOf(updates.get('failed') ?? 0, asked, 'session updates failed'),
    ...(done > 0 && (updates.get('completed') ?? 0) === 0 ? [{ text: 'no session update was completed' }] : []),
    ...(judged > 0 && (responses.get('whole') ?? 0) === 0 ? [{ text: 'no response came whole' }] : []),
  ]
}

/** A text is not too long where others as long are spoken. */
function wronglyBounded(responses: ReadonlyMap<string, number>, how: 'bounded' | 'shortened'): number {
  const bounded = responses.get(how) ?? 0
  return (responses.get('whole') ?? 0) > bounded ? bounded : 0
}

function invalidIn(tally: ResponseTally): Finding[] {
  const conversations = tally.counts('conversations')
  return [
    ...some(unreached(tally), 'conversations did not reach the target at all'),
    ...lostFor(
      (tally.counts('responses').get('overtime') ?? 0) + (tally.counts('updates').get('overtime') ?? 0),
      conversations.get('begun') ?? 0,
      'conversations still went on when their time was over (the workload is too short for this target)',
    ),
    ...endedByService(conversations.get('ended') ?? 0, conversations.get('begun') ?? 0, 'conversations'),
    ...some(conversations.get('unsafe') ?? 0, 'control URLs led where no load is allowed'),
  ]
}

/** A target that nobody ever reached is no bad target; one that some reached was there for the others. */
function unreached(tally: ResponseTally): number {
  const lost = tally.total('turned_away', ['network'])
  return lost === tally.counts('conversations').get('begun') ? lost : 0
}
