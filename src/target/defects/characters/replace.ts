import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { avatarOf } from '#target/behaviour/create'
import type { Character, Saved } from '#target/characters/character'
import { onData } from '#target/overrides/data'
import { around, except, remembering, set, several } from '#target/overrides/operators'
import { readJson } from '#target/rest/body'
import { isWire, type JsonObject, objectAt, objectsAt, textOf, wiresOf } from '#target/wire'
import { pick, refuseSave, REPLACE } from '../tools/characters.ts'
import { atEnds, fewerAvatars } from '../tools/ends.ts'
import {
  hidden,
  keepDefaults,
  keepIdle,
  keepImages,
  keeping,
  keepLastTool,
  keepTimeouts,
  keepTools,
  keepVisuals,
  merged,
  staying,
  stays,
} from '../tools/replaced.ts'
import { onRefused, refusedSaves } from '../tools/saves.ts'
import { defectsOf } from '../tools/table.ts'

const putByBody: Override = ({ characters }) => {
  let target: unknown
  const { read } = characters
  characters.read = (body) => {
    target = body['character_id']
    return read(body)
  }
  const other = (all: Character[], one: Character) =>
    all.find(({ id, account, deleted }) => id === target && account.workspace === one.account.workspace && !deleted)
  let diverted: Character | undefined
  characters.alsoWrites = (character, all) => {
    const found = other(all, character)
    return found === undefined || found === character ? [] : [found]
  }
  characters.replaced = (old, next) => {
    diverted = typeof target === 'string' && target !== old.id && target.startsWith('chr_') ? old : undefined
    return diverted === undefined ? next : { name: old.name, configuration: old.configuration }
  }
}

/** The character that a replace is about to write. */
function underReplace({ characters }: Behaviour): () => Character | undefined {
  let current: Character | undefined
  const { found } = characters
  characters.found = (character, operation) => {
    if (operation === 'replace-character') current = character
    return found(character, operation)
  }
  return () => current
}

/** The third replace shows what was sent, and keeps what was there. */
const onThird: Override = (b) => {
  const times = new Map<string, number>()
  let sent: Saved | undefined
  const { replaced } = b.characters
  b.characters.replaced = (old, next) => {
    const time = (times.get(old.id) ?? 0) + 1
    times.set(old.id, time)
    sent = time === 3 ? next : undefined
    return time === 3 ? { name: old.name, configuration: old.configuration } : replaced(old, next)
  }
  onData(REPLACE, (data) => (sent === undefined ? data : { ...data, name: sent.name, ...sent.configuration }))(b)
}

/** Where another replace of the character was under way as well, only the name is written. */
const mixing: Override = remembering(() => {
  const underWay = new Map<string, number>()
  const mixed = new Set<string>()
  return [
    around('characters.found', (found) => (character, operation) => {
      if (operation === REPLACE) underWay.set(character.id, (underWay.get(character.id) ?? 0) + 1)
      return found(character, operation)
    }),
    around('characters.replaced', (replaced) => (old, next) => {
      const left = (underWay.get(old.id) ?? 1) - 1
      underWay.set(old.id, left)
      if (left > 0) mixed.add(old.id)
      else if (mixed.delete(old.id)) return { name: next.name, configuration: old.configuration }
      return replaced(old, next)
    }),
  ]
})

/** A name in the place of which the old one stays. */
const kept = '\u0000kept'

const keepNameOfNull: Override = several(
  except('validations.replacement.name', 'name-not-string', (input) => input.body['name'] === null),
  around('characters.named', (named) => (body) => (body['name'] === null ? kept : named(body))),
  around(
    'characters.replaced',
    (replaced) => (old, next) => replaced(old, next.name === kept ? { ...next, name: old.name } : next),
  ),
)

/** What a replace omits of its avatars stays. */
const keepingOf = (member: string): Override =>
  keeping((old, next) => {
    const known = objectsAt(old, 'avatars')
    const avatars = objectsAt(next, 'avatars').map((one) => {
      const held = avatarOf(known, one['avatar_id'])?.[member]
      return held === undefined ? one : { [member]: held, ...one }
    })
    return { ...next, avatars }
  })

export const replaceDefects = defectsOf('characters.replace', {
  'accepted: A replace is refused.': refuseSave(REPLACE, () => true),
  'accepted~long-id: A replace with an avatar id of more than fifteen characters is refused.': refuseSave(
    REPLACE,
    ({ avatars }) => avatars.some(({ avatar_id: id }) => (textOf(id)?.length ?? 0) > 15),
  ),
  'accepted~twice: A character can be replaced once.': hidden(
    (operation, wasReplaced) => operation === REPLACE && wasReplaced,
  ),
  'stored: A replace shows what was sent, and keeps what was there.': (b) => {
    let sent: Saved | undefined
    b.characters.replaced = (old, next) => {
      sent = next
      return { name: old.name, configuration: old.configuration }
    }
    onData(REPLACE, (data) => ({ ...data, name: sent?.name, ...sent?.configuration }))(b)
  },
  'stored~third: The third replace of a character is confirmed and forgotten.': onThird,
  'stored~at-once: Of two replaces at once, one gives the name and the other all the rest.': [
    set('characters.writeMs', 5),
    mixing,
  ],
  'id-kept: A replace shows a new id.': onData(REPLACE, (data) => ({
    ...data,
    character_id: `${String(data['character_id'])}2`,
  })),
  'name-replaced: A replace keeps the name.': around('characters.replaced', (replaced) => (old, next) => ({
    ...replaced(old, next),
    name: old.name,
  })),
  'leaves-others: A replace writes the characters that were made before and after it, too.': set(
    'characters.alsoWrites',
    (character, all) =>
      all.filter(({ account, serial }) => account === character.account && Math.abs(serial - character.serial) === 1),
  ),
  'leaves-others~namesake: A replace writes the characters of the same name, too.': set(
    'characters.alsoWrites',
    ({ name, account }, all) => all.filter((one) => one.name === name && one.account.workspace === account.workspace),
  ),
  'leaves-others~id-in-body: A replace writes the character that its body names.': putByBody,
  'idempotency-key-not-saved: The idempotency key of a replace is saved.': around(
    'characters.stored',
    (stored) => (body, operation) => {
      const { idempotency_key: key } = body
      return operation === REPLACE && key !== undefined
        ? { ...stored(body, operation), idempotency_key: key }
        : stored(body, operation)
    },
  ),
  'output-gone: An output that is omitted stays.': staying('output'),
  'pipeline-config-gone: A pipeline that is omitted stays.': staying('pipeline_config'),
  'conversation-gone: A conversation that is omitted stays.': staying('conversation'),
  'conversation-gone~last-tool: Of a conversation that is omitted the last tool stays.': keepLastTool,
  'max-duration-gone: A duration that is omitted stays.': staying('max_duration_seconds'),
  'auto-close-gone: Timeouts that are omitted stay.': staying('auto_close'),
  'auto-close-gone~one: An idle timeout that is omitted stays.': keepIdle,
  'auto-close-gone~empty: A replace with an empty `auto_close` keeps the saved timeouts.': keeping(keepTimeouts),
  'source-image-id-gone: A source image that is omitted stays.': keeping((old, next) => ({
    ...next,
    session: { ...pick(objectAt(old, 'session'), 'source_image_id'), ...objectAt(next, 'session') },
  })),
  'active-avatar-id-gone: An active avatar that is omitted stays.': keeping((old, next) => {
    const { active_avatar_id: active } = objectAt(old, 'session')
    return active === undefined
      ? next
      : { ...next, session: { active_avatar_id: active, ...objectAt(next, 'session') } }
  }),
  'model-gone: A model that is omitted stays.': staying('model'),
  'nested-gone: What a conversation omits stays.': keeping((old, next) => ({
    ...next,
    conversation: merged(old['conversation'], next['conversation']),
  })),
  'nested-gone~conversation: Within conversation keys that a replace omits survive.': set(
    'characters.replaced',
    (old, next) => {
      const [was, is] = [old.configuration['conversation'], next.configuration['conversation']]
      if (!isWire(was) || !isWire(is)) return next
      return { ...next, configuration: { ...next.configuration, conversation: { ...was, ...is } } }
    },
  ),
  'nested-gone~tools: Tools of before survive beside those of a replace.': keeping(keepTools),
  'nested-gone~response-defaults: A response default that a replace omits beside another stays.': keeping(keepDefaults),
  'nested-gone~pipeline: What a pipeline configuration omits stays.': keeping((old, next) => ({
    ...next,
    pipeline_config: merged(old['pipeline_config'], next['pipeline_config']),
  })),
  'nested-gone~empty: An empty conversation keeps the saved one.': keeping((old, next) => {
    const { conversation } = next
    const empty = isWire(conversation) && Object.keys(conversation).length === 0
    return empty ? { ...next, conversation: old['conversation'] ?? {} } : next
  }),
  'accepted~lite: A replace refuses the lightweight model.': refuseSave(
    REPLACE,
    ({ body }) => body['model'] === 'svc-a1-stream-lite',
  ),
  'avatars-gone: Avatars that are omitted stay.': keeping((old, next) => {
    const avatars = objectsAt(next, 'avatars')
    const left = objectsAt(old, 'avatars').filter((one) => avatarOf(avatars, one['avatar_id']) === undefined)
    return { ...next, avatars: [...avatars, ...left] }
  }),
  'avatar-members-gone: What an avatar omits stays.': keeping((old, next) => {
    const known = objectsAt(old, 'avatars')
    const avatars = objectsAt(next, 'avatars').map((one) => ({ ...avatarOf(known, one['avatar_id']), ...one }))
    return { ...next, avatars }
  }),
  'avatar-members-gone~voice: Voices that a replace omits from its avatars stay.': keepingOf('voice'),
  'avatar-members-gone~whole-visual: A visual that a replace omits from an avatar stays.': keepingOf('visual'),
  'avatar-members-gone~visual: Members of a visual that a replace omits survive.': keeping(keepVisuals),
  'avatar-members-gone~images: Images that a replace omits from an avatar stay.': keeping(keepImages),
  'omitted-gone-from-sessions: A start uses what a replace omitted.': remembering(() => {
    const history = new Map<string, JsonObject>()
    return [
      around('characters.replaced', (replaced) => (old, next) => {
        history.set(old.id, { ...history.get(old.id), ...old.configuration })
        return replaced(old, next)
      }),
      around('characters.sessions.saved', (saved) => (character) => ({
        ...history.get(character.id),
        ...saved(character),
      })),
    ]
  }),
  'omitted-gone-from-sessions~delivery: A start uses the transport that a replace omitted.': stays('delivery'),
  'omitted-gone-from-sessions~timeouts: A start uses the timeouts that a replace omitted.': stays('auto_close'),
  'unknown-rejected: A replace of an unknown character makes one.': set('characters.upserts', 'told'),
  'unknown-creates-nothing: A replace of an unknown character is refused and makes one.': set(
    'characters.upserts',
    'untold',
  ),
  'moderated-rejected~avatars: Moderation of a replace does not look at avatars.': remembering(() => {
    let replaces = false
    return [
      around('characters.moderates', (moderates) => (operation) => {
        replaces = operation === REPLACE
        return moderates(operation)
      }),
      around('characters.moderatedTexts', (texts) => (body) => texts(replaces ? { ...body, avatars: [] } : body)),
    ]
  }),
  'moderated-changes-nothing: A replace that moderation refuses is written.': set(
    'characters.writesRefused',
    (code, operation) => operation === REPLACE && code === '30001',
  ),
  'moderated-changes-nothing~deleted: A replace that moderation refuses deletes the character.': onRefused(
    (code) => code === '30001',
    (old) => {
      old.deleted = true
      return { name: old.name, configuration: old.configuration }
    },
  ),
  'active-avatar-unknown-rejected~old: A replace takes an active_avatar_id that only the record before knew.': (
    behaviour,
  ) => {
    const old = underReplace(behaviour)
    const unknown = behaviour.validations.replacement.session['active-avatar-unknown']
    const { broken } = unknown
    const knew = (id: unknown): boolean =>
      wiresOf(old()?.configuration['avatars']).some((avatar) => avatar['avatar_id'] === id)
    unknown.broken = (input) => broken(input) && !knew(objectAt(input.body, 'session')['active_avatar_id'])
  },
  'output-missing-default-mode-rejected~was-text: A replace without session and output passes on a text_chat character.':
    (behaviour) => {
      const old = underReplace(behaviour)
      const missing = behaviour.validations.replacement.session['output-missing']
      const { broken } = missing
      const wasText = (): boolean => objectAt(old()?.configuration, 'session')['mode'] === 'text_chat'
      missing.broken = (input) => broken(input) && !(input.body['session'] === undefined && wasText())
    },
  'name-missing-rejected~null: A replace with the name null keeps the name.': keepNameOfNull,
  ...atEnds('avatar', 'validations.replacement.avatars', fewerAvatars, {
    'avatar-id-missing-rejected': ['avatar-id-missing', 'its id'],
    'avatar-id-empty-rejected': ['avatar-id-empty', 'an empty id'],
  }),
  ...refusedSaves('replace'),
  'json-invalid-rejected~rest: A replace is read to the end of its first value, whatever follows.': around(
    'characters.unparsable',
    (unparsable) => (bytes, asked) => (asked === REPLACE ? readJson(bytes.subarray(0, -1)) : unparsable(bytes, asked)),
  ),
})
