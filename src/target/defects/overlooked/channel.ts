import type { Session } from '#target/sessions/session'
import { rule } from '#target/behaviour/rules/rule'
import { demand, waive } from '#target/behaviour/rules/waive'
import { isWire, type Wire, wireAt, wiresAt, wiresOf } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory, mute, onEvent } from '../tools.ts'

const idsIn = (assets: unknown): string[] =>
  isWire(assets)
    ? Object.values(assets)
        .flatMap((list) => wiresOf(list))
        .flatMap(({ asset_id: id }) => (typeof id === 'string' ? [id] : []))
    : []

const besideVocal = (response: Wire): boolean => wireAt(response, 'script')['vocal'] !== undefined

/** The control channel: its events, its credential, and what is left behind by what was refused. */
export const overlookedChannelDefects = defectsOf('control-channel', {
  'event-id.512-non-ascii-accepted~bytes': [
    'The length of an event_id is counted in bytes of UTF-8.',
    ({ frames }) => {
      frames['event-id-long'].broken = ({ event, limits }) =>
        typeof event?.['event_id'] === 'string' && Buffer.byteLength(event['event_id']) > limits.eventIdLength
    },
  ],
  'asset-add.format-text-accepted~visual-prompt': [
    'A visual prompt with a format is refused.',
    ({ rules }) =>
      demand(
        rules.addAssets,
        'visual-prompt-format',
        rule('4.4', 'assets.visual_prompts.format', ({ given }) =>
          wiresAt(given, 'visual_prompts').some((asset) => asset['format'] !== undefined),
        ),
      ),
  ],
  'avatar-add.voice-speed-above-maximum-rejected~any': [
    'avatar.add takes any voice speed.',
    ({ rules }) => waive(rules.addAvatars, 'voice-speed-low', 'voice-speed-high'),
  ],
  'response-create.input-deleted-reference-rejected~kept': [
    'A reference to an item that was deleted is taken.',
    ({ rules, conversation }) => {
      const gone = memory(() => new Set<unknown>())
      const { remove } = conversation
      conversation.remove = (items, id) => {
        gone(items).add(id)
        remove(items, id)
      }
      rules.responseCreate['reference-unknown'].broken = ({ response, session }) =>
        wiresAt(response, 'input').some(
          ({ type, id }) =>
            type === 'item_reference' &&
            typeof id === 'string' &&
            !gone(session.items).has(id) &&
            !session.items.some((item) => item['id'] === id),
        )
    },
  ],
  'admission.api-key-token-refused~own-workspace': [
    'The API key of the workspace opens the control channel.',
    ({ channel }) => {
      const wrong = channel.admission['token-wrong']
      channel.admission['token-wrong'] = (attempt) =>
        wrong(attempt) && attempt.token !== attempt.session?.account.secret
    },
  ],
  'item-retrieve.content~first-part': [
    'A message of several parts is retrieved with the first one only.',
    (behaviour) =>
      onEvent(behaviour, 'conversation.item.retrieved', (event) => {
        const item = wireAt(event, 'item')
        return Array.isArray(item['content'])
          ? { ...event, item: { ...item, content: item['content'].slice(0, 1) } }
          : event
      }),
  ],
  'asset-add.free-after-rejection~taken': [
    'The ids of a refused asset.add cannot be used any more.',
    ({ rules, registry }) => {
      const taken = memory(() => new Set<string>())
      registry.keptOfRefusedAssets = (given, session) => {
        for (const id of idsIn(given)) taken(session).add(id)
        return {}
      }
      demand(
        rules.assetAddition,
        'asset-id-refused-before',
        rule('4.4', 'assets.asset_id', ({ event, session }) =>
          idsIn(event['assets']).some((id) => taken(session).has(id)),
        ),
      )
    },
  ],
  'script-visual.prompt-and-asset-rejected~vocal': [
    'A visual part is not looked at beside a vocal one.',
    ({ rules }) => {
      for (const id of ['visual-both', 'visual-neither'] as const) {
        const { broken } = rules.responseCreate[id]
        rules.responseCreate[id].broken = (input) => !besideVocal(input.response) && broken(input)
      }
    },
  ],
  'session-update.accepted-yields-done~second-superseded': [
    'Every second update of a session that is superseded gets no session.update.done.',
    (behaviour) => {
      const superseded = memory(() => ({ count: 0 }))
      mute(behaviour, 'session.update.done', (event, session) => {
        if (event['reason'] !== 'superseded') return false
        superseded(session).count += 1
        return superseded(session).count % 2 === 0
      })
    },
  ],
  'scheduling.pending-one-accepted~after-clear': [
    'The first after_current_response after one that an interrupt cleared is rejected.',
    ({ scheduling }) => {
      const cleared = new WeakSet<Session>()
      const { interrupt, after_current_response: after } = scheduling.decide
      scheduling.decide.interrupt = (session, busy, asked) => {
        if (session.pending.length > 0) cleared.add(session)
        return interrupt(session, busy, asked)
      }
      scheduling.decide.after_current_response = (session, busy, sender) =>
        busy && cleared.delete(session) ? 'reject' : after(session, busy, sender)
    },
  ],
})
