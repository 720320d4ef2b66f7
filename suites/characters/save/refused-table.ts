import type { RequirementId } from '#spec/register'
import type { JsonObject } from '#trace/json'
import { ada, bea, cleo, without } from '../bodies.ts'

/** Rows of one operation that speak of a fault. */
export interface FaultRows {
  readonly rows: readonly RequirementId[]
  readonly code?: readonly [readonly RequirementId[], readonly number[]]
}

/** A fault of a save: the only one in a body that is taken without it. */
export interface Fault {
  readonly id: string
  readonly change: (body: JsonObject, by: 'create' | 'replace') => JsonObject
  /** Sent as text that is no JSON. */
  readonly text?: true
  readonly create: FaultRows
  readonly replace?: FaultRows
}

const both = (row: 'name-missing' | 'json-invalid', code: number) => ({
  create: listed(`characters.create.${row}-rejected`, `characters.code-20004.create-${row}`, code),
  replace: listed(`characters.replace.${row}-rejected`, `characters.code-20004.replace-${row}`, code),
})

function listed(row: RequirementId, coded: RequirementId, code: number): FaultRows {
  return { rows: [row], code: [[coded], [code]] }
}

const absentAvatars = (row: 'avatars-missing' | 'avatars-empty') => ({
  create: listed(`characters.create.${row}-rejected`, `characters.code-20012.create-${row}`, 20012),
  replace: listed(`characters.replace.${row}-rejected`, `characters.code-20012.replace-${row}`, 20012),
})

const badAvatars = (
  row: 'avatar-id-missing' | 'avatar-id-empty' | 'avatar-id-duplicate' | 'active-avatar-unknown',
) => ({
  create: listed(`characters.create.${row}-rejected`, `characters.code-20013.create-${row}`, 20013),
  replace: listed(`characters.replace.${row}-rejected`, `characters.code-20013.replace-${row}`, 20013),
})

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
  { id: 'name-missing', change: (body) => without(body, 'name'), ...both('name-missing', 20004) },
  { id: 'json-invalid', change: (body) => body, text: true, ...both('json-invalid', 20004) },
  { id: 'avatars-missing', change: (body) => without(passive(body), 'avatars'), ...absentAvatars('avatars-missing') },
  { id: 'avatars-empty', change: (body) => ({ ...passive(body), avatars: [] }), ...absentAvatars('avatars-empty') },
  { id: 'avatar-id-missing', change: amid({ instructions: 'You have no id.' }), ...badAvatars('avatar-id-missing') },
  { id: 'avatar-id-empty', change: amid({ avatar_id: '' }), ...badAvatars('avatar-id-empty') },
  {
    id: 'avatar-id-duplicate',
    // Not side by side.
    change: (body) => ({ ...body, avatars: [{ avatar_id: ada }, { avatar_id: bea }, { avatar_id: ada }] }),
    ...badAvatars('avatar-id-duplicate'),
  },
  {
    id: 'active-avatar-unknown',
    // Nobody here, but in other letters; the record that is to be replaced has one of that name.
    change: (body, by) => ({
      ...body,
      session: { mode: 'text_chat', active_avatar_id: by === 'create' ? ada.toUpperCase() : cleo },
    }),
    ...badAvatars('active-avatar-unknown'),
  },
  {
    id: 'three',
    change: lasting(3),
    create: { rows: ['characters.max-duration.create-three-rejected'] },
    replace: { rows: ['characters.max-duration.replace-three-rejected'] },
  },
  {
    id: 'zero',
    change: lasting(0),
    create: { rows: ['characters.max-duration.create-zero-rejected'] },
    replace: { rows: ['characters.max-duration.replace-zero-rejected'] },
  },
  {
    // Without timers: even one of 0 is longer than this.
    id: 'negative',
    change: (body) => without(lasting(-60)(body), 'auto_close'),
    create: { rows: ['characters.max-duration.create-negative-rejected'] },
    replace: { rows: ['characters.replace.validated-as-create'] },
  },
  {
    id: 'beyond-int32',
    change: lasting(2_147_483_648),
    create: { rows: ['characters.max-duration.create-beyond-int32-rejected'] },
  },
  {
    id: 'name-null',
    change: (body) => ({ ...body, name: null }),
    create: { rows: ['characters.create.name-null-rejected'] },
    replace: { rows: ['characters.replace.name-missing-rejected'] },
  },
  {
    id: 'name-number',
    change: (body) => ({ ...body, name: 7 }),
    create: { rows: ['characters.create.name-not-string-rejected'] },
  },
]

export const faultRows: readonly RequirementId[] = faults.flatMap(({ create, replace }) =>
  [create, ...(replace === undefined ? [] : [replace])].flatMap(({ rows, code }) => [...rows, ...(code?.[0] ?? [])]),
)
