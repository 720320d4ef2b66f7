import { type Refusal, rowsOfRefusals } from '#scenario/author/expectation'
import type { RequirementId } from '#spec/register'
import type { JsonObject } from '#trace/json'
import { ada, bea, cleo, without } from '../bodies.ts'

/** Rows about what a save must not hold. */
export type FaultRow = Extract<
  RequirementId,
  `characters.${'create' | 'replace' | 'max-duration' | 'code-20004' | 'code-20012' | 'code-20013'}.${string}`
>

/** A fault of a save: the only one in a body that is taken without it. */
export interface Fault {
  readonly id: string
  readonly change: (body: JsonObject, by: By) => JsonObject
  /** Sent as text that is no JSON. */
  readonly text?: true
  readonly create: Refusal<FaultRow>
  readonly replace?: Refusal<FaultRow>
}

type By = 'create' | 'replace'
type Listed =
  | readonly [20004, 'name-missing' | 'json-invalid']
  | readonly [20012, 'avatars-missing' | 'avatars-empty']
  | readonly [20013, 'avatar-id-missing' | 'avatar-id-empty' | 'avatar-id-duplicate' | 'active-avatar-unknown']

/** A fault that 4.2 gives a code, refused on create and on replace. */
function both(...[code, row]: Listed): Pick<Fault, 'create' | 'replace'> {
  const by = (operation: By): Refusal<FaultRow> => ({
    rows: `characters.${operation}.${row}-rejected`,
    coded: `characters.code-${code}.${operation}-${row}` as FaultRow,
    codes: [code],
  })
  return { create: by('create'), replace: by('replace') }
}

const lasting = (max_duration_seconds: number) => (body: JsonObject) => ({ ...body, max_duration_seconds })

/** Names no avatar, which would be a second fault where there is none. */
const passive = (body: JsonObject) => ({ ...body, session: { mode: 'text_chat' } })

/** Between two that are whole, so that a service which looks at one end of the list alone is found; the first is active. */
const amid = (avatar: JsonObject) => (body: JsonObject) => {
  const [first = {}, last = {}] = body['avatars'] as readonly JsonObject[]
  return { ...body, avatars: [first, avatar, last] }
}

/** Faults that show in `text_chat` as well as in video (4.2, section 7). */
export const faults: readonly Fault[] = [
  { id: 'name-missing', change: (body) => without(body, 'name'), ...both(20004, 'name-missing') },
  { id: 'json-invalid', change: (body) => body, text: true, ...both(20004, 'json-invalid') },
  { id: 'avatars-missing', change: (body) => without(passive(body), 'avatars'), ...both(20012, 'avatars-missing') },
  { id: 'avatars-empty', change: (body) => ({ ...passive(body), avatars: [] }), ...both(20012, 'avatars-empty') },
  { id: 'avatar-id-missing', change: amid({ instructions: 'You have no id.' }), ...both(20013, 'avatar-id-missing') },
  { id: 'avatar-id-empty', change: amid({ avatar_id: '' }), ...both(20013, 'avatar-id-empty') },
  {
    id: 'avatar-id-duplicate',
    // Not side by side.
    change: (body) => ({ ...body, avatars: [{ avatar_id: ada }, { avatar_id: bea }, { avatar_id: ada }] }),
    ...both(20013, 'avatar-id-duplicate'),
  },
  {
    id: 'active-avatar-unknown',
    // Nobody here, but in other letters; where only one is left there is none to choose, and the record that is to be
    // replaced has one of that name.
    change: (body, by) =>
      by === 'create'
        ? { ...body, session: { mode: 'text_chat', active_avatar_id: ada.toUpperCase() } }
        : { ...body, avatars: [{ avatar_id: ada }], session: { mode: 'text_chat', active_avatar_id: cleo } },
    ...both(20013, 'active-avatar-unknown'),
  },
  {
    id: 'three',
    change: lasting(3),
    create: { rows: 'characters.max-duration.create-three-rejected' },
    replace: { rows: 'characters.max-duration.replace-three-rejected' },
  },
  {
    id: 'zero',
    change: lasting(0),
    create: { rows: 'characters.max-duration.create-zero-rejected' },
    replace: { rows: 'characters.max-duration.replace-zero-rejected' },
  },
  {
    // Without timers: even one of 0 is longer than this.
    id: 'negative',
    change: (body) => without(lasting(-60)(body), 'auto_close'),
    create: { rows: 'characters.max-duration.create-negative-rejected' },
    replace: { rows: 'characters.replace.validated-as-create' },
  },
  {
    id: 'beyond-int32',
    change: lasting(2_147_483_648),
    create: { rows: 'characters.max-duration.create-beyond-int32-rejected' },
  },
  {
    id: 'name-null',
    change: (body) => ({ ...body, name: null }),
    create: { rows: 'characters.create.name-null-rejected' },
    replace: { rows: 'characters.replace.name-missing-rejected' },
  },
  {
    id: 'name-number',
    change: (body) => ({ ...body, name: 7 }),
    create: { rows: 'characters.create.name-not-string-rejected' },
  },
]

export const faultRows = rowsOfRefusals(faults.flatMap(({ create, replace = {} }) => [create, replace]))
