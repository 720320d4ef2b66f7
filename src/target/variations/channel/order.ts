import { append, around, remembering, set, several } from '#target/overrides/operators'
import { memory } from '#target/overrides/memory'
import { splitEvent } from '#target/overrides/events'
import type { Override } from '#target/behaviour/behaviour'
import type { ResponsePlan } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { EventRefusal } from '#target/refusal'
import { validation } from '#target/behaviour/validations/input-validation'
import { type JsonObject, objectAt } from '#target/wire'
import { everyNthOf } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** How often an event that is put off is looked at again, in milliseconds. */
const LOOK_MS = 25

/** Client events of these types wait while this is so in their session, and behind those of them that wait already. */
const waiting = (types: RegExp, while_: (session: Session) => boolean): Override => {
  const queues = memory((): { readonly event: JsonObject; looked: number }[] => [])
  return around('channel.putOffMs', (putOff) => (session, event, sender) => {
    if (!types.test(String(event['type']))) return putOff(session, event, sender)
    const queue = queues(session)
    const now = Date.now()
    // Those whose connection has ended look no more.
    while (queue[0] !== undefined && now - queue[0].looked > 8 * LOOK_MS) queue.shift()
    const own = queue.find((one) => one.event === event)
    if (!while_(session) && (own ?? queue[0]) === queue[0]) {
      if (own !== undefined) queue.shift()
      return putOff(session, event, sender)
    }
    if (own === undefined) queue.push({ event, looked: now })
    else own.looked = now
    return LOOK_MS
  })
}

const isUpdating = (session: Session): boolean => session.updates.size > 0

/** Every third connection that has lasted so long is ended; nothing is said of it to the session. */
const lasting = (ms: number, code: number): Override =>
  remembering(() => {
    const isChosen = everyNthOf(3, 0)
    const known = new WeakSet<object>()
    return [
      set('channel.pingMs', ms),
      set('channel.beat', (socket) => {
        // The first beat comes when a connection opens.
        if (known.has(socket) && isChosen(socket)) socket.close(code)
        known.add(socket)
      }),
    ]
  })

/** What is heard in a sound is streamed as text. */
const heard: Override = around('scheduling.submitted', (submitted) => (plan, session) => {
  const whole = submitted(plan, session)
  const isSound = whole.kind === 'audio' || whole.kind === 'audio_asset'
  return isSound ? { ...whole, text: 'Good morning, everybody.' } : whole
})

/** Counts responses of a session, so that the output of the second one begins where that of the first one ended. */
function countedOn(): Override {
  const places = memory(() => new Map<unknown, number>())
  return append('outgoing', (event, session) => {
    if (event['output_index'] === undefined) return [event]
    const known = places(session)
    const place = known.get(event['response_id']) ?? known.size
    known.set(event['response_id'], place)
    return [{ ...event, output_index: Number(event['output_index']) + place }]
  })
}

/** A pending response is told of by an event of its own, and how it comes nearer. */
const queueTold: Override = append('outgoing', (event, session) => {
  const plan: ResponsePlan | undefined = session.pending[0]?.plan
  if (plan === undefined || event['type'] === 'error') return [event]
  const told = { event_id: `${String(event['event_id'])}_queue`, type: 'response.queue', position: 1 }
  return [event, { ...told, request_event_id: plan.requestEventId ?? '' }]
})

/** What is asked of responses waits for so long after one is done; a cancel waits behind what it may mean. */
function rested(ms: number): Override {
  const ends = memory(() => ({ at: -Infinity }))
  return several(
    append('outgoing', (event, session) => {
      if (event['type'] === 'response.done') ends(session).at = Date.now()
      return [event]
    }),
    waiting(/^response\./u, (session) => session.response === undefined && Date.now() - ends(session).at < ms),
  )
}

/** So many requests of a kind within a moment are looked at in a session, and more are refused by an error that says so. */
const limited =
  (most: number, ms: number, tables: readonly ('responseCreate' | 'sessionUpdate')[]): Override =>
  ({ validations }) => {
    for (const table of tables) {
      const times = memory((): number[] => [])
      const tooMany = ({ session }: { session: Session }): boolean => {
        const known = times(session)
        const now = Date.now()
        while (known[0] !== undefined && now - known[0] >= ms) known.shift()
        if (known.length >= most)
          throw new EventRefusal('too many requests', { type: 'rate_limit_error', code: 'rate_limit_exceeded' })
        known.push(now)
        return false
      }
      Object.assign(validations[table], { 'too-many': validation('6.2', 'event', tooMany) })
    }
  }

/** The text of a visual prompt under both of its names. */
const bothTexts = (event: JsonObject): JsonObject => {
  const { visual_prompts: prompts, ...others } = objectAt(event, 'assets')
  const told = Array.isArray(prompts)
    ? prompts.map((prompt: JsonObject) => ({ ...prompt, prompt: prompt['text'] }))
    : prompts
  return { ...others, visual_prompts: told }
}

/** In which order things come on a channel, and beside it, where the interface leaves it open. */
export const orderVariations = variationsOf({
  'responses-wait-for-updates §3.5: What is asked of responses waits until a running update is done (no time is promised).':
    several(set('update.settleMs', 500), waiting(/^response\./u, isUpdating)),
  'events-wait-for-updates §3.5: Whatever is asked waits until a running update is done, save another update (no time is promised).':
    several(set('update.settleMs', 700), waiting(/^(?!session\.update$)/u, isUpdating)),
  'updates-end-after-responses §3.5: An update is acknowledged at once, and done when no response is active ("and later").':
    set('update.endWaits', ({ response }) => response !== undefined),
  'updates-end-after-pending §3.5: An update is acknowledged at once, and done when no response is active or waits ("and later").':
    set('update.endWaits', ({ response, pending }) => response !== undefined || pending.length > 0),
  'closed-told-late §6.2: `session.closed` comes more than a second after the status is `closing`, and the connections end then.':
    several(
      around('channel.delayMs', (delay) => (event) => (event['type'] === 'session.closed' ? 1_200 : delay(event))),
      set('lifecycle.lingerMs', 1_500),
    ),
  'connections-last-eight-seconds §5: Every third connection that lasts for eight seconds is ended then by 1001, and the session lives on ("reconnecting with it in the same session is allowed").':
    lasting(8_000, 1001),
  'connections-last-four-seconds §5: Every third connection that lasts for four seconds is ended then by 1012, and the session lives on ("reconnecting with it in the same session is allowed").':
    lasting(4_000, 1012),
  'channel-knows-sessions-late §7: Every third session is known to the channel seven tenths of a second after its create, and an upgrade before that is refused by 503 ("on 429, 5xx or timeout, retry").':
    remembering(() => {
      const isLate = everyNthOf(3, 0)
      return set(
        'channel.admission.session-unready',
        ({ session, now }) => session !== undefined && isLate(session) && now - session.createdAt < 700,
      )
    }),
  'script-audio-heard §6.2: What is said in scripted audio is streamed as text ("including text of spoken media").':
    heard,
  'output-index-counts-on §6.2: Output is counted through all responses of a session (no first index is named).':
    countedOn(),
  'queue-told §9: While a response waits, events that the spec does not know name it and its place.': queueTold,
  'error-params-null §6.2: Errors that concern no parameter have null for it (no type is given for `error.param`).':
    splitEvent('error', (event) => [{ ...event, error: { param: null, ...objectAt(event, 'error') } }]),
  'assets-told-in-other-words §2.4: Assets tell both of their texts, as `text` and as `prompt` (unknown fields are ignored).':
    append('outgoing', (event) => [event['type'] === 'asset.added' ? { ...event, assets: bothTexts(event) } : event]),
  'responses-after-a-rest §4.4: A response that comes when none is active begins nine tenths of a second after the last one was done (no time is promised).':
    rested(900),
  'responses-limited-by-time §6.2: A session takes four requests for responses in a quarter of a second, and an error tells of more ("a client or server processing step fails").':
    limited(4, 250, ['responseCreate']),
})
