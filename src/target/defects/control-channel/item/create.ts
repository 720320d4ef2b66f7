import type { Override } from '#target/behaviour/behaviour'
import { notJson } from '#target/behaviour/validations/faults'
import type { ItemsInput } from '#target/behaviour/validations/items'
import { change, cutAt } from '#target/overrides/changes'
import { again, onEvent, splitEvent, withhold } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, drop, except, remembering, set, type ValidationName } from '#target/overrides/operators'
import { textOf, type JsonObject, objectAt } from '#target/wire'
import { isStarted } from '../../tools/characters.ts'
import { CREATED, isOwnItem, parts, pointing } from '../../tools/control-channel.ts'
import { atEnds, type End, narrowed } from '../../tools/ends.ts'
import { isInVideo } from '../../tools/modes.ts'
import { refuseEvent, takenElsewhere, whileActive } from '../../tools/refusals.ts'
import { indexOf, knowingOwners, withText } from '../../tools/items.ts'
import { defectsOf } from '../../tools/table.ts'

const idOf = (item: JsonObject | undefined): string | null => textOf(item?.['id']) ?? null

const refuse = (broken: (item: JsonObject) => boolean): Override =>
  refuseEvent('validations.items', (input: ItemsInput) => input.items.some(broken))

const hasPart = (item: JsonObject, fits: (part: JsonObject) => boolean): boolean => parts(item).some(fits)

/** JSON without its blanks and with numbers in another form; any other text stays as it is. */
const rewritten = (output: unknown): unknown =>
  typeof output !== 'string' || notJson(output) ? output : JSON.stringify(JSON.parse(output))

const fewerParts = (input: ItemsInput, end: End): ItemsInput => ({
  ...input,
  items: input.items.map((item) => narrowed(item, 'content', end)),
})

/** What is demanded of an item is not demanded of one in the `input` of a response. */
const inInput = (lacks: { readonly [row: string]: ValidationName<'validations.responseInput'> }) =>
  Object.fromEntries(
    Object.entries(lacks).map(([row, validation]) => [
      `${row}~in-input: An item in the input of a response passes though it lacks what ${validation} asks for.`,
      drop('validations.responseInput', validation),
    ]),
  )

export const itemCreateDefects = defectsOf('control-channel.item-create', {
  'confirmed: Items of the client are not confirmed.': withhold(CREATED, isOwnItem),
  'confirmed~busy: conversation.item.create is refused while a response is active.': whileActive(
    'validations.itemCreate',
    ({ stored }) => stored,
  ),
  'confirmed-once: Items of the client are confirmed twice.': splitEvent(CREATED, (event) =>
    isOwnItem(event) ? [event, again(event)] : [event],
  ),
  'rejected-not-confirmed: A refused item is confirmed, too.': set('conversation.confirmsRefused', true),
  'content-kept: Text is trimmed and lowered.': around(
    'conversation.stored',
    (stored) => (item, id) =>
      change('content.*.text', (text) => (typeof text === 'string' ? text.trim().toLowerCase() : text))(
        stored(item, id),
      ),
  ),
  'content-kept~long: A text is kept up to its thousandth character.': around(
    'conversation.stored',
    (stored) => (item, id) =>
      change('content.*.text', (text) => (typeof text === 'string' ? text.slice(0, 1_000) : text))(stored(item, id)),
  ),
  'content-kept~longer: A text is kept up to its 4,096th character.': around(
    'conversation.stored',
    (stored) => (item, id) => change('content.*.text', (text) => textOf(text)?.slice(0, 4_096))(stored(item, id)),
  ),
  'content-kept~output: The output of a function is kept up to its 1,024th character.': around(
    'conversation.stored',
    (stored) => (item, id) => change('output', cutAt(1_024))(stored(item, id)),
  ),
  'content-kept~empty: An empty output is lost.': around(
    'conversation.stored',
    (stored) => (item, id) => change('output', (output) => (output === '' ? undefined : output))(stored(item, id)),
  ),
  'content-kept~json: An output that is JSON is kept as the service would write it.': around(
    'conversation.stored',
    (stored) => (item, id) => change('output', rewritten)(stored(item, id)),
  ),
  'several-parts-accepted~emphasis: What marks emphasis in a text is lost.': around(
    'conversation.stored',
    (stored) => (item, id) => withText(stored(item, id), (text) => text.replaceAll(/[*`]/gu, '')),
  ),
  'content-kept~detail: An image of low detail is kept as one of any.': around(
    'conversation.stored',
    (stored) => (item, id) => change('content.*.detail', (one) => (one === 'low' ? 'auto' : one))(stored(item, id)),
  ),
  'system-text-accepted~blanks: Blanks at the ends of a text are lost.': around(
    'conversation.stored',
    (stored) => (item, id) =>
      change('content.*.text', (text) => (typeof text === 'string' ? text.trim() : text))(stored(item, id)),
  ),
  'function-call-output-accepted~server-error: The server fails over each output of a function call, and says so.':
    around('conversation.stored', (stored) => (item, id) => {
      if (item['type'] === 'function_call_output') throw new Error('a step of the server failed')
      return stored(item, id)
    }),
  'stored: A confirmed item is not kept.': set('conversation.stores', () => false),
  'stored~mode: A change of the mode empties the conversation.': remembering(() => {
    const shown = memory(() => ({ mode: '' }))
    return onEvent('session.updated', (event, session) => {
      const mode = String(objectAt(event, 'session')['mode'])
      const before = shown(session).mode || session.plan.state.mode
      if (mode !== before) session.items.splice(0)
      shown(session).mode = mode
      return event
    })
  }),
  'appended-when-omitted: Without a place an item is put second.': around(
    'conversation.position',
    (position) => (previous, items) => (previous === undefined ? Math.min(1, items.length) : position(previous, items)),
  ),
  'appended-when-omitted~after-output: Without a place an item is put after the last one of the client, before output that came since.':
    remembering(() => {
      const generated = new Set<unknown>()
      return [
        around('conversation.kept', (kept) => (item, plan) => {
          generated.add(item['id'])
          return kept(item, plan)
        }),
        around('conversation.position', (position) => (previous, items) => {
          if (previous !== undefined) return position(previous, items)
          return items.findLastIndex((item) => !generated.has(item['id'])) + 1
        }),
      ]
    }),
  'appended-when-omitted~after-deletion: Behind an item that was deleted in the middle, the next one is put there.':
    remembering(() => {
      const gap = memory(() => ({ index: -1 }))
      return [
        around('conversation.remove', (remove) => (items, id) => {
          const index = indexOf(items, id)
          remove(items, id)
          gap(items).index = index > 0 && index < items.length ? index : -1
        }),
        around('conversation.position', (position) => (previous, items) => {
          const { index } = gap(items)
          gap(items).index = -1
          return previous === undefined && index > 0 ? index : position(previous, items)
        }),
      ]
    }),
  'appended-names-last: An appended item names nobody before it.': around(
    'conversation.announcedPrevious',
    (announcedPrevious) => (items, index, asked) =>
      asked === undefined ? null : announcedPrevious(items, index, asked),
  ),
  'insertion-keeps-last: An inserted item counts as the last one.': remembering(() => {
    const pointer = memory(() => ({ last: null as string | null }))
    return [
      around('conversation.stores', (stores) => (item, items) => {
        pointer(items).last = idOf(item)
        return stores(item, items)
      }),
      pointing(pointer),
    ]
  }),
  'duplicate-id-keeps-item: An item that is refused as known is replaced.': set(
    'conversation.onRefused',
    (item, items) => {
      const index = items.findIndex((one) => one['id'] === item['id'])
      if (index >= 0) items[index] = { ...item, status: 'completed' }
    },
  ),
  'user-text-accepted: A user may not write.': refuse(
    (item) => item['role'] === 'user' && hasPart(item, ({ type }) => type === 'input_text'),
  ),
  'user-text-accepted~started: conversation.item.create is refused in a session from a character.': knowingOwners(
    (ownerOf) => [
      refuseEvent('validations.itemCreate', ({ stored }) => {
        const owner = ownerOf(stored)
        return owner !== undefined && isStarted(owner)
      }),
    ],
  ),
  'user-text-accepted~video: conversation.item.create is refused in video.': knowingOwners((ownerOf) => [
    refuseEvent('validations.itemCreate', ({ stored }) => isInVideo(ownerOf(stored))),
  ]),
  'user-text-accepted~other-session: The id of an item that one session made is refused in all others.': takenElsewhere(
    'validations.itemCreate',
    ({ event }) => [idOf(objectAt(event, 'item'))].filter((id) => id !== null),
    ({ stored }) => stored,
  ),
  'system-text-accepted: The system may not write.': refuse(({ role }) => role === 'system'),
  'assistant-text-accepted: Nobody may write for the assistant.': refuse(({ role }) => role === 'assistant'),
  'assistant-text-accepted~escaped: Text of the assistant comes back as HTML.': around(
    'conversation.stored',
    (stored) => (item, id) =>
      item['role'] === 'assistant'
        ? change('content.*.text', (text) => textOf(text)?.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))(
            stored(item, id),
          )
        : stored(item, id),
  ),
  'several-parts-accepted: Parts come back in another order.': around(
    'conversation.stored',
    (stored) => (item, id) =>
      change('content', (content) => (Array.isArray(content) ? content.toReversed() : content))(stored(item, id)),
  ),
  'several-parts-accepted~refused: A message has one part.': refuse((item) => parts(item).length > 1),
  'input-audio-accepted: Audio is refused.': refuse((item) => hasPart(item, ({ type }) => type === 'input_audio')),
  'input-image-accepted: Images are refused.': refuse((item) =>
    hasPart(item, ({ type, detail }) => type === 'input_image' && detail === undefined),
  ),
  'image-detail-accepted: A detail of `low` is refused.': refuse((item) =>
    hasPart(item, ({ detail }) => detail === 'low'),
  ),
  'function-call-accepted: Function calls are refused.': refuse(
    ({ type, call_id: id }) => type === 'function_call' && id !== undefined,
  ),
  'function-call-accepted~video: Function calls are refused in video.': knowingOwners((ownerOf) => [
    refuseEvent(
      'validations.itemCreate',
      ({ stored, items }) => isInVideo(ownerOf(stored)) && items.some(({ type }) => type === 'function_call'),
    ),
  ]),
  'function-call-without-call-id-accepted: A function call needs a call id.': refuse(
    ({ type, call_id: id }) => type === 'function_call' && id === undefined,
  ),
  'function-call-output-accepted: Function call outputs are refused.': refuse(
    ({ type }) => type === 'function_call_output',
  ),
  'function-call-output-accepted~json: The output of a function must be JSON.': refuse(
    ({ type, output }) => type === 'function_call_output' && notJson(output),
  ),
  'function-call-output-accepted~trimmed: The output of a function comes back trimmed.': around(
    'conversation.stored',
    (stored) => (item, id) => change('output', (text) => textOf(text)?.trim())(stored(item, id)),
  ),
  'function-call-accepted~name: Names of functions come back in small letters.': around(
    'conversation.stored',
    (stored) => (item, id) => change('name', (name) => textOf(name)?.toLowerCase())(stored(item, id)),
  ),
  'image-detail-unknown-rejected: Any detail is accepted.': drop('validations.items', 'part-detail-unknown'),
  'unknown-type-rejected: Any type is accepted.': drop('validations.items', 'item-type-unknown'),
  'type-missing-rejected: An item needs no type.': drop('validations.items', 'item-type-missing'),
  'unknown-role-rejected~tool: The role `tool` is accepted, too.': except(
    'validations.items',
    'role-unknown',
    ({ items }) => items.some(({ role }) => role === 'tool'),
  ),
  'unknown-role-rejected: Any role is accepted.': drop('validations.items', 'role-unknown'),
  'unknown-part-type-rejected~assistant: Any part of the assistant is accepted.': except(
    'validations.items',
    'part-type-unknown',
    ({ items }) => items.some(({ role }) => role === 'assistant'),
  ),
  'unknown-part-type-rejected: Any part is accepted.': drop('validations.items', 'part-type-unknown'),
  ...inInput({
    'unknown-type-rejected': 'item-type-unknown',
    'type-missing-rejected': 'item-type-missing',
    'unknown-role-rejected': 'role-unknown',
    'unknown-part-type-rejected': 'part-type-unknown',
    'function-call-name-missing-rejected': 'call-name-missing',
    'function-call-arguments-missing-rejected': 'call-arguments-missing',
  }),
  'unknown-status-rejected: Any status is accepted.': drop('validations.items', 'item-status-unknown'),
  'function-call-name-missing-rejected: A call needs no name.': drop('validations.items', 'call-name-missing'),
  'function-call-arguments-missing-rejected: A call needs no arguments.': drop(
    'validations.items',
    'call-arguments-missing',
  ),
  'function-call-arguments-object-rejected: Arguments may be an object.': drop(
    'validations.items',
    'call-arguments-not-string',
  ),
  'function-call-output-call-id-missing-rejected: An output needs no call id.': drop(
    'validations.items',
    'output-call-id-missing',
  ),
  'function-call-output-output-missing-rejected: An output may be missing.': drop(
    'validations.items',
    'output-missing',
  ),
  'function-call-output-output-object-rejected: An output may be an object.': drop(
    'validations.items',
    'output-not-string',
  ),
  'item-missing-rejected: Without an item an empty one is made.': [
    drop('validations.itemCreate', 'item-missing'),
    drop('validations.items', 'item-type-missing'),
  ],
  ...atEnds('part', 'validations.items', fewerParts, {
    'unknown-part-type-rejected': ['part-type-unknown', 'its type'],
  }),
})
