import type { Behaviour } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import type { WorldRules } from '#target/behaviour/world/rules'
import { recodeWhere } from '../recode.ts'
import { defectsOf } from '../table.ts'

const GET = 'get-world-session'
const SECRETS = 'create-client-secret'
const CLOSE = 'close-world-session'

/** Answers sessions that an operation does not find with another code. */
const unseen =
  (among: string, foreign: boolean, code: ErrorCode) =>
  ({ world: { reach } }: Behaviour): void => {
    const { unseen: usual } = reach
    reach.unseen = (operation, known) => (operation === among && known === foreign ? code : usual(operation, known))
  }

const coded =
  (code: ErrorCode, ...ids: (keyof WorldRules)[]) =>
  ({ world: { rules } }: Behaviour): void => {
    for (const id of ids) rules[id].code = code
  }

const unseenDefects = defectsOf('world-sessions', {
  'code-20005.get-unknown': ['Get of an unknown session is answered with 30004.', unseen(GET, false, '30004')],
  'code-20005.client-secret-unknown': [
    'Secrets of an unknown session are refused with 20004.',
    unseen(SECRETS, false, '20004'),
  ],
  'code-20005.close-unknown': ['A close of an unknown session is answered with 30004.', unseen(CLOSE, false, '30004')],
  'code-20005.client-secret-closed': [
    'Secrets of a closed session are refused with 30004.',
    ({ world: { reach } }) => void (reach.secretRefusal = ({ status }) => (status === 'active' ? undefined : '30004')),
  ],
  'code-20005.client-secret-expired': [
    'Secrets of an expired session are refused with 10009.',
    ({ world: { reach } }) => {
      const { secretRefusal } = reach
      reach.secretRefusal = (session, key) => (Date.now() >= session.expiresAt ? '10009' : secretRefusal(session, key))
    },
  ],
  'code-20005.get-of-other-workspace': [
    'Get of another workspace’s session is answered with 10009.',
    unseen(GET, true, '10009'),
  ],
  'code-20005.client-secret-of-other-workspace': [
    'Secrets of another workspace’s session are refused with 10009.',
    unseen(SECRETS, true, '10009'),
  ],
  'code-20005.close-of-other-workspace': [
    'A close of another workspace’s session is answered with 10009.',
    unseen(CLOSE, true, '10009'),
  ],
})

const argumentDefects = defectsOf('world-sessions', {
  'code-30004.model-missing': ['A missing model is answered with 20003.', coded('20003', 'model-missing')],
  'code-30004.initial-prompt-missing': ['A missing prompt is answered with 20003.', coded('20003', 'prompt-missing')],
  'code-30004.initial-prompt-content-missing': [
    'Missing content is answered with 20003.',
    coded('20003', 'prompt-content-missing'),
  ],
  'code-30004.opening-frame-url-missing': [
    'A frame without URL is answered with 20003.',
    coded('20003', 'frame-url-missing'),
  ],
  'code-30004.opening-frame-url-not-https': [
    'A frame by plain HTTP is answered with 20004.',
    ({ world }) => recodeWhere(world.rules, 'frame-url-not-https', '20004', ({ frame }) => parses(frame['url'])),
  ],
  'code-30004.opening-frame-url-no-url': [
    'A frame with any text as URL is answered with 20004.',
    ({ world }) => recodeWhere(world.rules, 'frame-url-not-https', '20004', ({ frame }) => !parses(frame['url'])),
  ],
  'code-30004.reference-name-missing': [
    'A reference without name is answered with 20003.',
    coded('20003', 'reference-name-missing'),
  ],
  'code-30004.reference-name-duplicate': [
    'A duplicate name is answered with 20013.',
    coded('20013', 'reference-name-repeated'),
  ],
  'code-30004.reference-content-missing': [
    'A reference without content is answered with 20003.',
    coded('20003', 'reference-content-missing'),
  ],
  'code-30004.reference-url-not-https': [
    'A reference by plain HTTP is answered with 20008.',
    coded('20008', 'reference-image-url-not-https', 'reference-audio-url-not-https'),
  ],
  'code-30004.aspect-ratio-unknown': [
    'An unsupported ratio is answered with 20014.',
    coded('20014', 'aspect-ratio-unsupported'),
  ],
  'code-30004.resolution-unknown': [
    'An unsupported resolution is answered with 20004.',
    coded('20004', 'resolution-unsupported'),
  ],
  'code-30004.live-audio-unsupported': [
    'Unsupported live audio is answered with 10009.',
    (b) => {
      b.world.capabilities.live_audio.supported = false
      coded('10009', 'live-audio-unsupported')(b)
    },
  ],
})

const parses = (url: unknown): boolean => typeof url === 'string' && URL.canParse(url)

export const worldCodeDefects = [...unseenDefects, ...argumentDefects]
