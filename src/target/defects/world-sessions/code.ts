import type { Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import { around, set } from '#target/overrides/operators'
import { objectsAt } from '#target/wire'
import { failsOver, recodeWhere, told } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const notHttps = ['reference-image-url-not-https', 'reference-audio-url-not-https'] as const

const GET = 'get-world-session'

const SECRETS = 'create-client-secret'

const CLOSE = 'close-world-session'

/** Answers sessions that an operation does not find with another code. */
const unseen = (among: string, foreign: boolean, code: ErrorCode): Override =>
  around(
    'world.reach.unseen',
    (usual) => (operation, known) => (operation === among && known === foreign ? code : usual(operation, known)),
  )

const parses = (url: unknown): boolean => typeof url === 'string' && URL.canParse(url)

export const code30004Defects = defectsOf('world-sessions.code-30004', {
  'reference-url-not-https: A reference by plain HTTP is answered with 20008.': told(
    'world.validations',
    '20008',
    'reference-image-url-not-https',
    'reference-audio-url-not-https',
  ),
  'reference-url-not-https~second-reference: Only the addresses of the first reference must be https.': ({
    world: { validations },
  }) => {
    for (const id of notHttps) {
      const { broken } = validations[id]
      validations[id].broken = (input) => broken({ ...input, references: input.references.slice(0, 1) })
    }
  },
  'reference-url-not-https~second-block: Only the address of the first block of a reference must be https.': ({
    world: { validations },
  }) => {
    for (const id of notHttps) {
      const { broken } = validations[id]
      validations[id].broken = (input) =>
        broken({
          ...input,
          references: input.references.map((one) => ({ ...one, content: objectsAt(one, 'content').slice(0, 1) })),
        })
    }
  },
  'model-missing: A missing model is answered with 20003.': told('world.validations', '20003', 'model-missing'),
  'initial-prompt-missing~failure: The service fails over a missing prompt.': failsOver(
    'world.validations',
    'prompt-missing',
  ),
  'initial-prompt-missing: A missing prompt is answered with 20003.': told(
    'world.validations',
    '20003',
    'prompt-missing',
  ),
  'initial-prompt-content-missing: Missing content is answered with 20003.': told(
    'world.validations',
    '20003',
    'prompt-content-missing',
  ),
  'opening-frame-url-missing: A frame without URL is answered with 20003.': told(
    'world.validations',
    '20003',
    'frame-url-missing',
  ),
  'opening-frame-url-not-https: A frame by plain HTTP is answered with 20004.': recodeWhere(
    'world.validations',
    'frame-url-not-https',
    '20004',
    ({ frame }) => parses(frame['url']),
  ),
  'opening-frame-url-no-url: A frame with any text as URL is answered with 20004.': recodeWhere(
    'world.validations',
    'frame-url-not-https',
    '20004',
    ({ frame }) => !parses(frame['url']),
  ),
  'reference-name-missing: A reference without name is answered with 20003.': told(
    'world.validations',
    '20003',
    'reference-name-missing',
  ),
  'reference-name-duplicate: A duplicate name is answered with 20013.': told(
    'world.validations',
    '20013',
    'reference-name-repeated',
  ),
  'reference-content-missing: A reference without content is answered with 20003.': told(
    'world.validations',
    '20003',
    'reference-content-missing',
  ),
  'aspect-ratio-unknown: An unsupported ratio is answered with 20014.': told(
    'world.validations',
    '20014',
    'aspect-ratio-unsupported',
  ),
  'resolution-unknown: An unsupported resolution is answered with 20004.': told(
    'world.validations',
    '20004',
    'resolution-unsupported',
  ),
  'live-audio-unsupported: Unsupported live audio is answered with 10009.': (b) => {
    b.world.capabilities.live_audio.supported = false
    told('world.validations', '10009', 'live-audio-unsupported')(b)
  },
})

export const code20005Defects = defectsOf('world-sessions.code-20005', {
  'get-unknown: Get of an unknown session is answered with 30004.': unseen(GET, false, '30004'),
  'get-unknown~avatar-id: Get of a world session finds avatar sessions.': set(
    'access.getsOtherKind',
    (operation) => operation === 'get-world-session',
  ),
  'client-secret-unknown: Secrets of an unknown session are refused with 20004.': unseen(SECRETS, false, '20004'),
  'close-unknown: A close of an unknown session is answered with 30004.': unseen(CLOSE, false, '30004'),
  'client-secret-closed: Secrets of a closed session are refused with 30004.': set(
    'world.reach.secretRefusal',
    ({ status }) => (status === 'active' ? undefined : '30004'),
  ),
  'client-secret-expired: Secrets of an expired session are refused with 10009.': around(
    'world.reach.secretRefusal',
    (secretRefusal) => (session, key) => (Date.now() >= session.expiresAt ? '10009' : secretRefusal(session, key)),
  ),
  'get-of-other-workspace: Get of another workspace’s session is answered with 10009.': unseen(GET, true, '10009'),
  'client-secret-of-other-workspace: Secrets of another workspace’s session are refused with 10009.': unseen(
    SECRETS,
    true,
    '10009',
  ),
  'close-of-other-workspace: A close of another workspace’s session is answered with 10009.': unseen(
    CLOSE,
    true,
    '10009',
  ),
})
