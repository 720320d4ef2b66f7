import { add, around, remembering, set, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import type { ConversationEventInput } from '#target/behaviour/validations/items'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Session } from '#target/sessions/session'
import { type JsonObject, objectsAt } from '#target/wire'
import { variationsOf } from '../table.ts'

/** Events of these types are handled so much later; what comes behind them is not held up. */
const late = (types: readonly string[], ms: number): Override =>
  remembering(() => {
    const waited = new WeakSet<JsonObject>()
    return around('channel.putOffMs', (putOff) => (session, event) => {
      if (!types.includes(String(event['type'])) || waited.has(event)) return putOff(session, event)
      waited.add(event)
      return ms
    })
  })

/**
 * A task for each event: the first of three is handled last, and the second first. An item is looked up when all that came
 * before is handled: whoever was told of it has waited.
 */
const tasks: Override = remembering(() => {
  const begun = new WeakSet<JsonObject>()
  let count = 0
  return around('channel.putOffMs', (putOff) => (session, event, connection) => {
    if (begun.has(event)) return putOff(session, event, connection)
    begun.add(event)
    if (event['type'] === 'conversation.item.retrieve') return 100
    count += 1
    return [80, 20, 50][count % 3] ?? 0
  })
})

/** Events of these types wait until no response is active. */
const whenIdle = (...types: readonly string[]): Override =>
  around(
    'channel.putOffMs',
    (putOff) => (session: Session, event: JsonObject) =>
      types.includes(String(event['type'])) && session.response !== undefined ? 40 : putOff(session, event),
  )

const isCallOf =
  (id: unknown) =>
  (item: JsonObject): boolean =>
    item['type'] === 'function_call' && item['call_id'] === id

const outputsNeedCalls = add(
  'validations.itemCreate',
  'call-unknown',
  validation('2.9', 'item.call_id', ({ items, stored }: ConversationEventInput) =>
    items.some((one) => one['type'] === 'function_call_output' && !stored.some(isCallOf(one['call_id']))),
  ),
)

const isSound = (audio: unknown): boolean =>
  typeof audio !== 'string' || Buffer.from(audio, 'base64').subarray(0, 4).toString('latin1') === 'RIFF'

/** When and how events of clients are taken, where the interface leaves it open. */
export const mannerVariations = variationsOf({
  'refusal-with-words §5: A refused channel is accepted, told why by an `error`, and closed half a second later.':
    several(
      set('channel.refusal', 'close'),
      set('channel.refusalWords', { type: 'error', event_id: 'refused', error: { type: 'auth', message: 'no' } }),
      set('channel.refusalMs', 500),
    ),
  'refusal-by-late-close §5: A refused channel is accepted, and closed a second later.': several(
    set('channel.refusal', 'close'),
    set('channel.refusalMs', 1000),
  ),
  'outputs-need-their-call §2.9: The output of a function call is refused where the conversation has no such call (nothing is said of it).':
    outputsNeedCalls,
  'call-ids-empty §2.9: The model gives its calls an empty `call_id` (it is optional there), and the output of a call that is unknown is refused.':
    {
      warns: ['control-channel.output-item-done.function-call-call-id'],
      override: several(
        around('responses.item', (make) => (run, status, text) => {
          const item = make(run, status, text)
          return run.plan.call === undefined ? item : { ...item, call_id: '' }
        }),
        outputsNeedCalls,
      ),
    },
  'item-audio-decoded §2.9: Audio of a user is decoded, and refused where it is no WAV (its format is not said).': add(
    'validations.items',
    'audio-undecodable',
    validation('2.9', 'item.content.audio', ({ items }) =>
      items.flatMap((one) => objectsAt(one, 'content')).some(({ audio }) => !isSound(audio)),
    ),
  ),
  'binary-ends-connection §4.4: A binary message ends its connection ("each message is a JSON object").': set(
    'frames.binary.fatal',
    true,
  ),
  'items-wait-for-responses §4.4: Items are created and deleted when no response is active ("wait for `conversation.item.created`").':
    whenIdle('conversation.item.create', 'conversation.item.delete'),
  'additions-wait-for-responses §4.4: Assets and avatars are added when no response is active ("wait for confirmation").':
    whenIdle('asset.add', 'avatar.add'),
  'items-out-of-band-announced §6.2: Items of responses out of band are announced, and not written ("Item created by the client or by generation").':
    { warns: ['control-channel.script.none-announces-no-item'], override: set('conversation.announces', () => true) },
  'reads-of-items-late §4.4: An item is retrieved two thirds of a second later (no time is promised).': late(
    ['conversation.item.retrieve'],
    650,
  ),
  'events-handled-side-by-side §4.4: Each event is handled by a task of its own, so that one may overtake another that nobody waited for (no order is promised).':
    tasks,
})
