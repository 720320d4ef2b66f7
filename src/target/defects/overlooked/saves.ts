import type { Behaviour } from '#target/behaviour/behaviour'
import { waive } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import { isWire, textOf, wireAt, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'

/** A name in the place of which the old one stays. */
const kept = '\u0000kept'

function keepNameOfNull({ rules, characters }: Behaviour): void {
  const table = rules.replacement.name
  const { broken } = table['name-not-string']
  table['name-not-string'].broken = (input) => input.body['name'] !== null && broken(input)
  const { named, replaced } = characters
  characters.named = (body) => (body['name'] === null ? kept : named(body))
  characters.replaced = (old, next) => replaced(old, next.name === kept ? { ...next, name: old.name } : next)
}

function mixTools({ characters }: Behaviour): void {
  const { replaced } = characters
  characters.replaced = (old, next) => {
    const made = replaced(old, next)
    const conversation = made.configuration['conversation']
    if (!isWire(conversation) || conversation['tools'] === undefined) return made
    const tools = wiresAt(conversation, 'tools')
    const names = tools.map(({ name }) => name)
    const former = wiresAt(old.configuration['conversation'], 'tools').filter(({ name }) => !names.includes(name))
    const mixed = { ...conversation, tools: [...former, ...tools] }
    return { ...made, configuration: { ...made.configuration, conversation: mixed } }
  }
}

function mixVisuals({ characters }: Behaviour): void {
  const { replaced } = characters
  characters.replaced = (old, next) => {
    const made = replaced(old, next)
    const former = wiresAt(old.configuration, 'avatars')
    const avatars = wiresAt(made.configuration, 'avatars').map((avatar) => {
      const was = former.find(({ avatar_id }) => avatar_id === avatar['avatar_id'])
      return isWire(avatar['visual'])
        ? { ...avatar, visual: { ...wireAt(was, 'visual'), ...avatar['visual'] } }
        : avatar
    })
    return { ...made, configuration: { ...made.configuration, avatars } }
  }
}

function closeAllButOldest({ characters }: Behaviour): void {
  const spared = new Map<string, Session>()
  characters.interrupts = (session) => {
    const id = session.plan.characterId ?? ''
    if (session.status !== 'active') return false
    if (spared.has(id)) return true
    spared.set(id, session)
    return false
  }
}

const lower = (value: unknown): string | undefined => textOf(value)?.toLowerCase()

/** Faults of a save that are let through in one form, or by one of its operations (4.2). */
const refusals = defectsOf('characters', {
  'replace.validated-as-create~auto-close': [
    'A replace takes a disconnected timeout below 10.',
    ({ rules }) => waive(rules.replacement.session, 'disconnected-low'),
  ],
  'replace.validated-as-create~pipeline': [
    'A replace takes a pipeline_config without tts_config.',
    ({ rules }) => waive(rules.replacement.pipeline, 'tts-missing'),
  ],
  'replace.validated-as-create~voice': [
    'A replace takes an incomplete avatar voice.',
    ({ rules }) =>
      waive(rules.replacement.avatars, 'voice-provider-missing', 'voice-id-missing', 'voice-model-missing'),
  ],
  'code-20014.replace-output-missing-default-mode~mode-omitted': [
    'A replace with a session that names no mode needs no output.',
    ({ rules }) => {
      const { broken } = rules.replacement.session['output-missing']
      rules.replacement.session['output-missing'].broken = (input) =>
        broken(input) && !(isWire(input.body['session']) && input.session['mode'] === undefined)
    },
  ],
  'replace.name-missing-rejected~null': ['A replace with the name null keeps the name.', keepNameOfNull],
  'code-20013.create-avatar-id-duplicate~apart': [
    'Only avatars that stand side by side are compared on save.',
    ({ rules }) => {
      rules.character.avatars['avatar-id-repeated'].broken = ({ avatars }) =>
        avatars.some((avatar, at) => at > 0 && avatar['avatar_id'] === avatars[at - 1]?.['avatar_id'])
    },
  ],
  'code-20013.create-active-avatar-unknown~case': [
    'On save active_avatar_id is compared without regard to case.',
    ({ rules }) => {
      const table = rules.character.session['active-avatar-unknown']
      const { broken } = table
      table.broken = (input) =>
        broken(input) &&
        !input.avatars.some(({ avatar_id }) => lower(avatar_id) === lower(input.session['active_avatar_id']))
    },
  ],
  'code-30001.create-moderated~second-avatar': [
    'Of the avatars only the first one is moderated.',
    ({ characters }) => {
      const { moderatedTexts } = characters
      characters.moderatedTexts = (body) => moderatedTexts({ ...body, avatars: wiresAt(body, 'avatars').slice(0, 1) })
    },
  ],
})

/** What a replace or a delete leaves behind, and what a list makes of it (3.6, 4.2). */
const afterwards = defectsOf('characters', {
  'replace.nested-gone~tools': ['Tools of before survive beside those of a replace.', mixTools],
  'replace.avatar-members-gone~visual': ['Members of a visual that a replace omits survive.', mixVisuals],
  'deleted.running-session-kept~second': [
    'Delete closes all sessions of the character but the oldest.',
    closeAllButOldest,
  ],
  'list.shows-replaced~model': [
    'List keeps the model of creation.',
    ({ characters }) => {
      const first = new Map<string, unknown>()
      const { replaced, views } = characters
      characters.replaced = (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.configuration['model'])
        return replaced(old, next)
      }
      const { model } = views.summary
      views.summary['model'] = (character) => (first.has(character.id) ? first.get(character.id) : model?.(character))
    },
  ],
  'list.item-name~cut': [
    'List cuts names to 32 characters.',
    ({ characters: { views } }) => {
      views.summary['name'] = ({ name }) => Array.from(name).slice(0, 32).join('')
    },
  ],
  'session.max-duration-overridden~longer': [
    'A duration that is longer than the saved one is lowered to it.',
    ({ characters: { sessions } }) => {
      const { body } = sessions
      sessions.body = (saved, sent, combination) => {
        const made = body(saved, sent, combination)
        const [was, is] = [saved['max_duration_seconds'], made['max_duration_seconds']]
        return typeof was === 'number' && typeof is === 'number'
          ? { ...made, max_duration_seconds: Math.min(was, is) }
          : made
      }
    },
  ],
  'session.auto-close-without-effect~member': [
    'A timeout that is sent with a start takes effect where the saved auto_close lacks it.',
    ({ characters: { sessions } }) => {
      const { body } = sessions
      sessions.body = (saved, sent, combination) => {
        const made = body(saved, sent, combination)
        const both = isWire(saved['auto_close']) && isWire(sent['auto_close'])
        return both ? { ...made, auto_close: { ...wireAt(sent, 'auto_close'), ...wireAt(saved, 'auto_close') } } : made
      }
    },
  ],
})

export const overlookedSaveDefects = [...refusals, ...afterwards]
