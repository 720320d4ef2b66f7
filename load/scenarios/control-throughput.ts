import { closeSession, createSession } from './avatar-session.ts'
import { Conversation, type TalkingMachine } from './conversation.ts'
import { judgeConversations } from './judge-conversations.ts'
import { type ResponseCount, responseMeasures, type ResponseTime } from './response-measures.ts'
import type { Scenario } from './scenario.ts'

/** How many events come whole and in order over control channels, and how soon. */
export const controlThroughput: Scenario<ResponseCount, ResponseTime> = {
  name: 'control-throughput',
  about: 'Sessions change their avatar and have scripts spoken, turn by turn; all events are followed and timed.',
  measures: responseMeasures,
  judges_times: true,
  price: ({ turns, turn_interval_ms }) => ({ requests: 2, sessions: 1, busy_ms: 1_000 + turns * turn_interval_ms }),
  arrival: { kind: 'rate' },
  exceeds: [],
  iterate: converse,
  judge: judgeConversations,
}

/** One session from its create to its close. */
async function converse(machine: TalkingMachine): Promise<void> {
  machine.tally.count('conversations', 'begun')
  // At once, so that a conversation that k6 breaks off is missed.
  machine.flush()
  const created = await createSession(machine)
  if ('session' in created) {
    await new Conversation(machine, created.session).hold()
    await closeSession(machine, created.session)
    return
  }
  machine.tally.count('turned_away', created.refusal)
  machine.tally.count('conversations', 'refused')
}
