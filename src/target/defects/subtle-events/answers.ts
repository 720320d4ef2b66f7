import type { UpdateInput } from '#target/behaviour/rules/session-update'
import { type Wire, textOf, wireAt, wiresAt } from '#target/wire'
import { change, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { memory, onEvent } from '../tools.ts'

const KINDS = ['images', 'audio', 'speech_text', 'visual_prompts']

const isPlaced = (event: Wire): boolean => event['type'] === 'conversation.item.created'

/** 6.2: confirmations and errors that are wrong only sometimes. */
export const subtleAnswerDefects = defectsOf('control-channel', {
  'server-event.event-id-server-generated~error': [
    'An error has the id of the event that it refuses as its own.',
    (b) =>
      onEvent(b, 'error', (event) => ({ ...event, event_id: wireAt(event, 'error')['event_id'] ?? event['event_id'] })),
  ],
  'error.event-id-names-cause~busy': [
    'While a response is active, an error names the request of that response.',
    (b) =>
      onEvent(b, 'error', (event, { response }) => {
        const active = response?.plan.requestEventId
        return active === undefined ? event : put('error.event_id', active)(event)
      }),
  ],
  'item-create.root-inserts-at-start~names-last': [
    'An item that is inserted at the start names the one that was last before it.',
    ({ conversation }) => {
      const { announcedPrevious } = conversation
      conversation.announcedPrevious = (items, index, asked) => {
        const last = textOf(items.at(-1)?.['id'])
        return asked === 'root' && last !== undefined ? last : announcedPrevious(items, index, asked)
      }
    },
  ],
  'item-created.previous-item-known~output-after-deletion': [
    'Output that follows the deletion of the last item names that item as the one before.',
    ({ conversation, outgoing }) => {
      const deleted = memory(() => ({ last: undefined as unknown }))
      const { remove } = conversation
      conversation.remove = (items, id) => {
        deleted(items).last = items.at(-1)?.['id'] === id ? id : undefined
        remove(items, id)
      }
      outgoing.push((event, { items }) => {
        const known = deleted(items)
        if (!isPlaced(event) || known.last === undefined) return [event]
        const { last } = known
        known.last = undefined
        return [wireAt(event, 'item')['status'] === 'in_progress' ? put('previous_item_id', last)(event) : event]
      })
    },
  ],
  'item-retrieve.content~several-parts': [
    'Of several parts of a message only the first one is retrieved.',
    (b) =>
      onEvent(
        b,
        'conversation.item.retrieved',
        change('item.content', (parts) => (Array.isArray(parts) ? parts.slice(0, 1) : parts)),
      ),
  ],
  'session-updated.source-image-null-in-text-chat~named': [
    'An update to text that names an image is acknowledged with that image.',
    (b) => {
      const asked = memory(() => ({ image: undefined as unknown }))
      const rule = b.rules.sessionUpdate['session-missing']
      const { broken } = rule
      rule.broken = (input: UpdateInput) => {
        asked(input.session).image = input.asked['source_image_id']
        return broken(input)
      }
      onEvent(b, 'session.updated', (event, session) => {
        const { image } = asked(session)
        const text = wireAt(event, 'session')['mode'] === 'text_chat'
        return text && typeof image === 'string' ? put('session.source_image_id', image)(event) : event
      })
    },
  ],
  'session-update-done.request-event-id~superseded': [
    'The end of an update that a newer one superseded names the newer one.',
    (b) => {
      const newest = memory(() => ({ id: undefined as unknown }))
      const rule = b.rules.sessionUpdate['session-missing']
      const { broken } = rule
      rule.broken = (input: UpdateInput) => {
        newest(input.session).id = input.event['event_id']
        return broken(input)
      }
      onEvent(b, 'session.update.done', (event, session) => {
        const { id } = newest(session)
        const over = event['reason'] === b.update.supersededReason && id !== undefined
        return over ? { ...event, request_event_id: id } : event
      })
    },
  ],
  'asset-added.lists-every-asset~several-kinds': [
    'Of assets of several kinds only those of the first kind are listed.',
    (b) =>
      onEvent(b, 'asset.added', (event) => {
        const assets = wireAt(event, 'assets')
        const first = KINDS.find((kind) => wiresAt(assets, kind).length > 0)
        return { ...event, assets: Object.fromEntries(KINDS.map((kind) => [kind, kind === first ? assets[kind] : []])) }
      }),
  ],
  'avatar-added.instructions-effective~several': [
    'Of several added avatars all are shown with the instructions of the last.',
    (b) =>
      onEvent(b, 'avatar.added', (event) => {
        const last = wiresAt(event, 'avatars').findLast(({ instructions }) => instructions !== undefined)
        return change('avatars.*.instructions', (own) => (own === undefined ? undefined : last?.['instructions']))(
          event,
        )
      }),
  ],
})
