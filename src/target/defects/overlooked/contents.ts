import { avatarOf, imageOf } from '#target/behaviour/create'
import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import { textOf, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'

const VOCAL_FIELDS = ['type', 'text', 'speech_text_asset_id', 'mime_type', 'url', 'audio', 'audio_asset_id']

/** Texts, items, fields and images that are not what was put there. */
export const overlookedContentDefects = defectsOf('control-channel', {
  'script-speech.text-done-exact~brackets': [
    'What stands in square brackets is not spoken.',
    ({ pace }) => {
      const { split } = pace
      pace.split = (text) => split(text.replace(/\[[^\]]*\] ?/gu, '') || text)
    },
  ],
  'script-speech-asset.added-asset-spoken~markup': [
    'Angle brackets in an asset of format text are taken for markup.',
    ({ registry }) => {
      const { pick } = registry
      registry.pick = (session, kind, id) => {
        const asset = pick(session, kind, id)
        const text = textOf(asset?.['text'])
        return kind === 'speech_text' && text !== undefined && asset?.['format'] === 'text'
          ? { ...asset, text: text.replace(/<[^>]*>/gu, '') }
          : asset
      }
    },
  ],
  'script-speech-asset.right-asset-spoken~case': [
    'Ids of speech assets that differ in case only are mixed up.',
    ({ registry }) => {
      const { pick } = registry
      registry.pick = (session, kind, id) => {
        if (kind !== 'speech_text') return pick(session, kind, id)
        const found = [...session.assets.speech_text.keys()].find((key) => key.toLowerCase() === id.toLowerCase())
        return pick(session, kind, found ?? id)
      }
    },
  ],
  'item-create.confirmed~busy': [
    'conversation.item.create is refused while a response is active.',
    ({ rules, scheduling }) => {
      const sessions = new WeakMap<object, Session>()
      const { submitted } = scheduling
      scheduling.submitted = (plan, session) => {
        sessions.set(session.items, session)
        return submitted(plan, session)
      }
      demand(
        rules.itemCreate,
        'busy',
        rule('4.4', 'item', ({ stored }) => sessions.get(stored)?.response !== undefined),
      )
    },
  ],
  'item-retrieve.content~call-id': [
    'A stored function call has another call_id than the one that was told.',
    ({ conversation }) => {
      const { kept } = conversation
      conversation.kept = (item, plan) => {
        const one = kept(item, plan)
        return one['type'] === 'function_call' ? { ...one, call_id: `${String(one['call_id'])}_0` } : one
      }
    },
  ],
  'isolation.items-not-shared~character': [
    'A session from a character begins with the items of the one before.',
    ({ channel }) => {
      const latest = new Map<string, Session>()
      const { onConnect } = channel
      channel.onConnect = (session) => {
        onConnect(session)
        const { characterId } = session.plan
        if (characterId === undefined || session.everConnected) return
        session.items.push(...(latest.get(characterId)?.items ?? []))
        latest.set(characterId, session)
      }
    },
  ],
  'session-updated.source-image-null-in-text-chat~by-image': [
    'An update in text_chat that names an image shows it.',
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const named = textOf(asked['source_image_id'])
        const known = named !== undefined && imageOf(avatarOf(session.avatars, session.state.activeAvatarId), named)
        return mode === 'text_chat' && asked['mode'] === undefined && known
          ? named
          : image(asked, session, mode, active)
      }
    },
  ],
  'message.unknown-nested-field-ignored~vocal': [
    'An unknown field in script.vocal is refused.',
    ({ rules }) =>
      demand(
        rules.responseCreate,
        'vocal-field-unknown',
        rule('4.4', 'response.script.vocal', ({ response }) =>
          Object.keys(wireAt(wireAt(response, 'script'), 'vocal')).some((key) => !VOCAL_FIELDS.includes(key)),
        ),
      ),
  ],
})
