import { Blocked } from '#scenario/author/blocked'
import type { AnyContext, Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { JsonObject } from '#trace/json'
import { lookUp, textChat, videoAvatar } from './bodies.ts'
import { connections } from './connection/connections.check.ts'
import { errors } from './events/errors.check.ts'
import { itemsBasic } from './items/basic.check.ts'
import { itemsMore } from './items/more.check.ts'
import { responses } from './responses/responses.check.ts'
import { pendingInVideo } from './scheduling/pending-video.check.ts'
import { pending } from './scheduling/pending.check.ts'
import { races } from './scheduling/races.check.ts'
import { scheduling } from './scheduling/scheduling.check.ts'
import { schedulingInVideo } from './scheduling/video.check.ts'
import { scriptedSpeech } from './speech/speech.check.ts'
import { speechInVideo, unheard } from './speech/video.check.ts'
import type { OfOneSession } from './step.ts'
import { toolCalls } from './tools/tools.check.ts'
import { sessionUpdate } from './updates/text.check.ts'

interface Joint {
  readonly id: string
  readonly make: (context: Context) => Promise<OpenSession>
  /** In this order, one after the other. */
  readonly of: readonly OfOneSession[]
}

/** What ends one of them and says nothing of the next. */
const own: readonly string[] = ['model_choice', 'prerequisite']
/** After so many events that stayed away, nobody waits in vain for the same in each of the others. */
const mostAway = 5

const awayIn = ({ silences }: AnyContext): number => [...silences.values()].reduce((sum, count) => sum + count, 0)

/** Each says what it has to say, by connections of its own. */
async function speakInTurn(context: AnyContext, session: OpenSession, { of }: Joint): Promise<void> {
  const obstacles: Blocked[] = []
  const before = awayIn(context)
  for (const { speak } of of) {
    try {
      await speak(context, session)
    } catch (error) {
      if (!(error instanceof Blocked && own.includes(error.code))) throw error
      obstacles.push(error)
    }
    // A service may stay silent where it does nothing: that is no fault of it.
    if (awayIn(context) - before >= mostAway)
      context.block('model_choice', 'too many events stayed away to ask for more')
  }
  const [first] = obstacles
  if (first !== undefined) throw first
}

/** Does in one session what these do in one each, for two requests instead of two for each of them. */
function joint(plan: Joint): Scenario {
  const { id, make, of } = plan
  return {
    id,
    joins: of.map((one) => one.id),
    proves: [...new Set(of.flatMap(({ proves }) => proves))],
    claims: [...new Set(of.flatMap(({ proves, claims = proves }) => claims))],
    needs: {
      abilities: [...new Set(of.flatMap(({ needs = {} }) => needs.abilities ?? []))],
      triggers: [...new Set(of.flatMap(({ needs = {} }) => needs.triggers ?? []))],
      media: [...new Set(of.flatMap(({ needs = {} }) => needs.media ?? []))],
    },
    price: {
      requests: { primary: 2 },
      sessions: { primary: 1 },
      waits: of.reduce((sum, { price }) => sum + (price.waits ?? 1), 0),
    },
    drive: async (context) => speakInTurn(context, await make(context), plan),
  }
}

const withTools = (context: Context): JsonObject =>
  context.offers('tool_calls') && context.profile.triggers?.tool_call_text !== undefined ? { tools: [lookUp] } : {}

/** A run that may spend little has several scenarios in one session; any other has a session for each. */
export const jointly: readonly Scenario[] = [
  joint({
    id: 'control-channel.jointly-in-text',
    make: (context) => context.create(textChat()),
    // A session may be full once many items are in it: what asks for few comes before what asks for many.
    of: [itemsBasic, errors, scheduling, itemsMore, responses, pending, sessionUpdate, races, connections],
  }),
  joint({
    id: 'control-channel.jointly-with-tools',
    make: (context) => context.create(textChat({ tools: [lookUp] })),
    of: [scriptedSpeech, toolCalls],
  }),
  joint({
    id: 'control-channel.jointly-in-video',
    make: (context) => {
      const conversation = { turn_detection: { type: 'manual' }, ...unheard, ...withTools(context) }
      return context.create({ ...videoAvatar(context), conversation })
    },
    of: [speechInVideo, schedulingInVideo, pendingInVideo],
  }),
]
