import type { Behaviour } from '#target/behaviour/behaviour'
import type { WorldScene } from '#target/behaviour/world/views'
import { isWire, textOf, wiresAt } from '#target/wire'
import type { WorldSession } from '#target/worlds/session'
import { defectsOf } from '../table.ts'
import { snake } from '../tools.ts'

const isOver = ({ session }: WorldScene): boolean => session.status === 'closing' || session.status === 'closed'

function sharedSecrets({ world: { reach } }: Behaviour): void {
  const first = new Map<string, WorldSession>()
  const { secretRefusal } = reach
  reach.secretRefusal = (session, key) => {
    if (key !== undefined) {
      const scoped = `${session.account.workspace}\n${key}`
      const known = first.get(scoped) ?? session
      first.set(scoped, known)
      const issue = known.issuesByKey.get(key)
      if (known !== session && issue !== undefined) session.issuesByKey.set(key, issue)
    }
    return secretRefusal(session, key)
  }
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  if (!isWire(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sorted(member)]))
}

const notHttps = ['reference-image-url-not-https', 'reference-audio-url-not-https'] as const

/** World sessions, and a voice: what is returned later, in another form, or to another session. */
export const overlookedWorldDefects = [
  ...defectsOf('world-sessions', {
    'continuation.start-mode-default~idle-sent': [
      'A continuation with max_idle_ms alone starts automatically.',
      ({ world: { create } }) => {
        create.startMode = (continuation) =>
          textOf(continuation['start_mode']) ?? (continuation['max_idle_ms'] === undefined ? 'manual' : 'automatic')
      },
    ],
    'get.control-url-kept~swapped': [
      'Get shows the url of control under media and the other way round.',
      ({ world: { views } }) => {
        const { control, media } = views.got
        views.got['control'] = (scene) => ({ ...Object(control?.(scene)), url: Object(media?.(scene)).url })
        views.got['media'] = (scene) => ({ ...Object(media?.(scene)), url: Object(control?.(scene)).url })
      },
    ],
    'get.usage-video~closed': [
      'Get of a closing or closed session has no usage.',
      ({ world: { views } }) => {
        const { usage } = views.got
        views.got['usage'] = (scene) => (isOver(scene) ? undefined : usage?.(scene))
      },
    ],
    'metadata.returned~snake-case': [
      'Keys of metadata come back in snake_case.',
      ({ world: { create } }) => {
        const { metadata } = create
        create.metadata = (body) =>
          Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [snake(key), value]))
      },
    ],
    'control.secret-session-scoped~key-of-another': [
      'A key of Create Client Secret that another session used gives the secrets of that one.',
      sharedSecrets,
    ],
    'get.no-client-secret~renewed': [
      'Get shows client_secret once fresh descriptors were made.',
      ({ world: { views } }) => {
        for (const channel of ['control', 'media'] as const) {
          const field = views.got[channel]
          views.got[channel] = (scene) => ({
            ...Object(field?.(scene)),
            ...(scene.session.issues.length > 1 ? { client_secret: scene.issue[channel].secret } : {}),
          })
        }
      },
    ],
    'idempotency.other-body-conflict~order': [
      'Bodies that differ in the order of an array alone count as the same.',
      ({ world: { idempotency } }) => {
        const { sameBody } = idempotency
        idempotency.sameBody = (first, again) =>
          sameBody(JSON.stringify(sorted(JSON.parse(first))), JSON.stringify(sorted(JSON.parse(again))))
      },
    ],
    'references.names-returned~lower-case': [
      'Names of references come back in lower case.',
      ({ world: { create } }) => {
        const { references } = create
        create.references = (body) => references(body).map((one) => ({ ...one, name: one.name.toLowerCase() }))
      },
    ],
    'code-30004.reference-url-not-https~second-reference': [
      'Only the addresses of the first reference must be https.',
      ({ world: { rules } }) => {
        for (const id of notHttps) {
          const { broken } = rules[id]
          rules[id].broken = (input) => broken({ ...input, references: input.references.slice(0, 1) })
        }
      },
    ],
    'code-30004.reference-url-not-https~second-block': [
      'Only the address of the first block of a reference must be https.',
      ({ world: { rules } }) => {
        for (const id of notHttps) {
          const { broken } = rules[id]
          rules[id].broken = (input) =>
            broken({
              ...input,
              references: input.references.map((one) => ({ ...one, content: wiresAt(one, 'content').slice(0, 1) })),
            })
        }
      },
    ],
    'output.resolution-default~square': [
      'A square output has 480p by default.',
      ({ world: { create } }) => {
        const { output } = create
        create.output = (asked, defaults) =>
          output(asked, asked['aspect_ratio'] === '1:1' ? { ...defaults, resolution: '480p' } : defaults)
      },
    ],
    'code-20005.get-unknown~avatar-id': [
      'Get of a world session finds avatar sessions.',
      ({ access }) => {
        access.getsOtherKind = (operation) => operation === 'get-world-session'
      },
    ],
  }),
  ...defectsOf('errors', {
    'code-20005.get-unknown-avatar-session~world-id': [
      'Get of an avatar session finds world sessions.',
      ({ access }) => {
        access.getsOtherKind = (operation) => operation === 'get-avatar-session'
      },
    ],
    'code-30008.status-429~world': [
      'On world creates 30008 travels under 503.',
      ({ http }) => {
        const { coded } = http
        http.coded = (code, operation) => {
          http.statuses['30008'] = operation === 'create-world-session' ? 503 : 429
          return coded(code, operation)
        }
      },
    ],
  }),
  ...defectsOf('voices', {
    'clone.language-returned~two-letters': [
      'Language codes are cut to two letters: `fil` comes back as `fi`.',
      ({ voices }) => {
        voices.cloned['language'] = ({ language }) => (language ?? '').slice(0, 2)
      },
    ],
  }),
]
