import { except, set, several } from '#target/overrides/operators'
import type { AdditionInput } from '../behaviour/validations/tables.ts'
import type { Override } from '../behaviour/behaviour.ts'
import { reorder, cutWith } from './channel/responses.ts'
import { type JsonObject, objectAt, wiresOf } from '../wire.ts'
import { variationsOf } from './table.ts'

/** Milliseconds until it is looked at once more whether an event can be handled. */
const lookMs = 20

/** Events of these types are handled later, others at once. */
function takingTime(ms: number, ...types: readonly string[]): Override {
  return ({ channel }) => {
    const begun = new WeakSet<JsonObject>()
    channel.putOffMs = (_session, event) => {
      if (begun.has(event) || !types.includes(String(event['type']))) return 0
      begun.add(event)
      return ms
    }
  }
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** All that is registered already is sent again as it is. */
const addsNothing = ({ event, session }: AdditionInput): boolean => {
  const sent = [...wiresOf(event['avatars']), ...Object.values(objectAt(event, 'assets')).flatMap(wiresOf)]
  const stores = Object.values(session.assets).flatMap((store) => [...store.values()])
  const known = [...session.avatars, ...stores]
  return sent.length > 0 && sent.every((one) => known.some((other) => same(one, other)))
}

/** What one event may do to what came before it, where no sentence says so. */
export const sequenceVariations = variationsOf({
  'updates-cut-responses §3.5: An update that names another mode or avatar cancels the active response (what an update does to it is not said).':
    set(
      'update.cutsResponse',
      (previous, next) => previous.mode !== next.mode || previous.activeAvatarId !== next.activeAvatarId,
    ),
  'updates-wait-for-responses §6.2: An update is looked at when no response is active ("emitted when a `session.update` is applied"; no time is promised).':
    set('channel.putOffMs', (session, event) =>
      event['type'] === 'session.update' && session.response !== undefined ? lookMs : 0,
    ),
  'additions-take-time §4.4: Assets and avatars are fetched before they are confirmed, which takes almost half a second ("wait for confirmation").':
    takingTime(400, 'asset.add', 'avatar.add'),
  'items-take-time §4.4: An item is moderated before it is confirmed, which takes a third of a second ("wait for `conversation.item.created`").':
    takingTime(300, 'conversation.item.create'),
  'known-additions-confirmed §4.4: Assets and avatars that are added again as they are are confirmed again ("existing ids cannot be changed or replaced").':
    several(
      except('validations.assetAddition', 'asset-id-taken', addsNothing),
      except('validations.avatarAddition', 'avatar-id-taken', addsNothing),
    ),
  'item-ids-used-once §2.9: The id of an item that was deleted cannot be given again.': (behaviour) => {
    const gone = new WeakMap<readonly JsonObject[], Set<unknown>>()
    const { conversation, validations } = behaviour
    const { remove } = conversation
    conversation.remove = (items, id) => {
      if (items.some((one) => one['id'] === id)) gone.set(items, (gone.get(items) ?? new Set()).add(id))
      remove(items, id)
    }
    const { 'item-id-taken': table } = validations.itemCreate
    const { broken } = table
    table.broken = (input) =>
      broken(input) || input.items.some((one) => gone.get(input.stored)?.has(one['id']) === true)
  },
  'pending-starts-late §4.4: A pending response starts almost a second after the active one is done ("runs after the current response finishes").':
    set('scheduling.pendingAfterMs', 800),
  'cut-output-not-kept §6.2: What a cut response has said is told and not kept in the conversation (that of a finished one is kept when it is done).':
    several(
      reorder('conversation.item.created', 'response.render.stopped'),
      cutWith(['response.output_item.done', 'response.render.stopped', 'response.done']),
    ),
})
