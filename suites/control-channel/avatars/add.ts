import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { add, showing } from '../assets/additions.ts'
import { guide, host } from '../bodies.ts'
import { type Refusal, refuse } from '../refusals.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'
import { look, update } from '../updates/updates.ts'

/** Sends an `avatar.add` that must be refused. */
export function refuseAvatars(
  talk: Talk,
  rows: readonly Row[],
  what: JsonObject,
  {
    given,
    choice = false,
    write,
  }: { given: readonly Condition[]; choice?: boolean; write?: (refusal: Refusal) => void },
): Promise<Refusal> {
  return refuse(talk, {
    rows,
    message: { type: 'avatar.add', ...what },
    confirmation: 'avatar.added',
    given,
    choice,
    write: (it) => {
      const refused = { given: [...given, it.rejected], choice: true }
      talk.claim('avatar-add.rejected-not-confirmed', it.unconfirmed, refused)
      write?.(it)
    },
  })
}

const curator = { avatar_id: 'curator', instructions: 'You are a curator. Answer in one short sentence.' }

const cook = { avatar_id: 'cook', instructions: 'You are a cook.' }

/** What was added, by the avatar of which it can be told: that it was confirmed. */
export type Added = readonly (readonly [avatar: string, confirmed: Condition])[]

/** Adds avatars in `text_chat`, which are selected only by an update. */
export async function addAvatars(talk: Talk, known: string): Promise<Added> {
  await update(talk, { active_avatar_id: host })
  const added = await addOne(talk, known)
  const alone = await add(
    talk,
    'avatar.add',
    { avatars: [{ avatar_id: 'porter' }] },
    { rows: ['avatar-add.id-alone-accepted'] },
  )
  const trio = [cook, { avatar_id: 'scout' }, { avatar_id: 'pilot', instructions: 'You are a pilot.' }]
  const several = await add(talk, 'avatar.add', { avatars: trio }, { rows: ['avatar-add.several-accepted'] })
  // Not one of all these has become active.
  await look(talk, (it) => {
    const options = { given: [added, alone, several, it.confirmed], choice: true }
    talk.claim('avatar-add.not-active', it.shows({ active_avatar_id: host }), options)
  })
  const all: Added = [
    ['curator', added],
    ['porter', alone],
    ['pilot', several],
  ]
  await selectAll(talk, all)
  for (const avatar of [guide, 'curator', host]) await select(talk, avatar, ['avatar-add.additive'], [added, several])
  return all
}

async function selectAll(talk: Talk, added: Added): Promise<void> {
  for (const [avatar, given] of added) await select(talk, avatar, ['avatar-add.selectable'], [given])
}

/** Added avatars are the session's: the active one is still active over another connection, and the others selectable. */
export async function findAgain(talk: Talk, active: Condition, added: Added): Promise<void> {
  await look(talk, (it) => {
    const options = { given: [active, it.confirmed], choice: true }
    talk.claim('secret.reconnect-keeps-state', it.shows({ active_avatar_id: 'curator' }), options)
  })
  await selectAll(talk, added)
}

/** @returns that it was confirmed */
export async function activate(talk: Talk, avatar: string): Promise<Condition> {
  return (await update(talk, { active_avatar_id: avatar })).confirmed
}

function addOne(talk: Talk, known: string): Promise<Condition> {
  return add(talk, 'avatar.add', { avatars: [curator] }, { rows: ['avatar-add.accepted'], known })
}

/** Makes an avatar the active one. */
export async function select(
  talk: Talk,
  avatar: string,
  rows: readonly Row[],
  given: readonly Condition[],
): Promise<void> {
  await update(
    talk,
    { active_avatar_id: avatar },
    {
      write: (it) => talk.claim(rows, it.shows({ active_avatar_id: avatar }), { given, choice: true }),
    },
  )
}

const newcomer = { avatar_id: 'newcomer', instructions: 'You are new here.' }

const faults: readonly (readonly [row: Row, what: JsonObject])[] = [
  ['avatar-add.no-avatars-rejected', { avatars: [] }],
  [
    'avatar-add.id-missing-rejected',
    { avatars: [{ avatar_id: 'aide' }, { instructions: 'You have no name.' }, { avatar_id: 'aunt' }] },
  ],
  [
    'avatar-add.id-empty-rejected',
    { avatars: [{ avatar_id: 'boss' }, { avatar_id: '', instructions: 'You have no name.' }, { avatar_id: 'boy' }] },
  ],
  ['avatar-add.id-duplicate-in-event-rejected', { avatars: [newcomer, newcomer] }],
  [
    'avatar-add.id-duplicate-in-event-rejected',
    { avatars: [{ avatar_id: 'twin' }, { avatar_id: 'cousin' }, { avatar_id: 'twin' }] },
  ],
]

/** Whatever is wrong with an avatar in `text_chat`. One that is faulty stands between two that are whole. */
export async function refuseFaults(talk: Talk, twin: Condition): Promise<void> {
  await refuseAvatars(
    talk,
    ['avatar-add.missing-avatars-rejected'],
    {},
    {
      given: [twin],
      write: ({ at, rejected }) => {
        const works = talk.eventually(event('avatar.added'), at)
        talk.claim('error.usable-after-invalid-add', works, { given: [twin, rejected], choice: true })
      },
    },
  )
  for (const [row, what] of faults) await refuseAvatars(talk, [row], what, { given: [twin] })
  for (const id of ['curator', guide]) {
    const changed = `You are another ${id}.`
    const again = { avatars: [{ avatar_id: id, instructions: changed }] }
    await refuseAvatars(talk, ['avatar-add.existing-rejected'], again, {
      given: [twin],
      write: ({ at, answered }) => {
        const anew = showing('avatar.add', '/avatars', (place) => ({
          [`${place}/avatar_id`]: id,
          [`${place}/instructions`]: changed,
        }))
        const options = { given: [twin, answered], choice: true }
        talk.claim('avatar-add.existing-not-confirmed-anew', talk.never(anew, at), options)
      },
    })
  }
  await add(talk, 'avatar.add', { avatars: [newcomer] })
}

interface Batch {
  readonly row: Row
  /** Id of the valid one in it, or of the invalid one, which is not registered without its fault either. */
  readonly id: string
  readonly avatars: readonly Json[]
}

const nameless = { instructions: 'You have no name.' }

const batches: readonly Batch[] = [
  { row: 'avatar-add.none-registered-on-invalid', id: 'first', avatars: [{ avatar_id: 'first' }, nameless] },
  { row: 'avatar-add.none-registered-after-invalid', id: 'second', avatars: [nameless, { avatar_id: 'second' }] },
  {
    row: 'avatar-add.none-registered-on-invalid',
    id: 'faceless',
    avatars: [
      { avatar_id: 'faceless', visual: { source_images: [{ source_image_id: 'face', media_type: 'image/png' }] } },
    ],
  },
  { row: 'avatar-add.none-registered-beside-existing', id: 'third', avatars: [{ avatar_id: 'third' }, curator] },
]

/** "If any avatar is invalid none is registered": the valid one cannot be selected, and its id can be registered. */
export async function registerNone(talk: Talk, twin: Condition): Promise<void> {
  for (const { row, id, avatars } of batches) {
    const { rejected } = await refuseAvatars(talk, [], { avatars }, { given: [twin] })
    const options = { given: [twin, rejected], choice: row === 'avatar-add.none-registered-beside-existing' }
    await refuse(talk, {
      rows: [],
      message: { type: 'session.update', session: { active_avatar_id: id } },
      confirmation: 'session.updated',
      write: ({ at }) => {
        const selected = event('session.updated', { '/session/active_avatar_id': id })
        talk.claim(row, talk.never(selected, at, talk.after(1)), options)
      },
    })
    await add(
      talk,
      'avatar.add',
      { avatars: [{ avatar_id: id }] },
      { rows: ['avatar-add.free-after-rejection'], options },
    )
    await select(talk, id, [row], options.given)
  }
}
