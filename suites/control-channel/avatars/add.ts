import { fullText } from '#scenario/author/bodies'
import type { Condition } from '#trace/claim'
import { all, any, event } from '#trace/conditions'
import type { Json } from '#trace/json'
import { add, addOnce, goesOn, showing } from '../assets/additions.ts'
import { guide, host } from '../bodies.ts'
import { type Expect, forRows, onlyIf, type Terms } from '../expectation.ts'
import { type Refusal, refuse } from '../refusals.ts'
import { type Row, type Rows, rows, rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { hasHeard } from '../say-again.ts'
import { activate, look } from '../updates/updates.ts'

/** What every `avatar.add` is asked for that must be refused. */
export const refused = rows({ 'avatar-add': 'rejected-not-confirmed' })

/** Sends an `avatar.add` that must be refused. */
export function refuseAvatars<R extends Row>(
  talk: Talk<R | (typeof refused)[number]>,
  rejected: Rows<R>,
  avatars: readonly Json[] | undefined,
  { given = [], choice = false, expect }: Terms & { readonly expect?: Expect<R, Refusal> },
): Promise<Refusal> {
  return refuse<R>(talk, 'avatar.add', avatars === undefined ? {} : { avatars }, {
    rejected,
    given,
    choice,
    expect: (it) => {
      talk.claim('avatar-add.rejected-not-confirmed', it.unconfirmed, { given: [...given, it.owned], choice: true })
      return expect?.(it)
    },
  })
}

const curator = { avatar_id: 'curator', instructions: fullText('You are a curator. Answer in one short sentence.') }

const foreigner = 'Zoë 東'

const cook = { avatar_id: 'cook', instructions: 'You are a cook.' }

/** What was added, by the avatar of which it can be told: that it was confirmed. */
export type Added = readonly (readonly [avatar: string, confirmed: Condition])[]

const selectAll = claiming({ 'avatar-add': 'selectable' }).step(async (talk, added: Added) => {
  for (const [avatar, confirmed] of added) {
    await activate(talk, avatar, 'avatar-add.selectable', { given: [confirmed], choice: true })
  }
})

/** Not all have instructions, and what has them stands at each other place. */
const quartet = [
  cook,
  { avatar_id: 'pilot', instructions: 'You are a pilot.' },
  { avatar_id: 'scout' },
  { avatar_id: 'baker', instructions: 'You are a baker.' },
]

/** Several at once. Where they are refused, as many are added one by one: a session that takes these had room for those. */
const addSeveral = claiming({ 'avatar-add': 'several-accepted' }).step(async (talk): Promise<Condition> => {
  const done = event('avatar.added')
  const since = talk.channel.frames.length
  const onebyone = quartet.map((_, place) => talk.inTime(done, talk.after(place + 1), talk.after(place + 2)))
  const taken = talk.inTime(done, talk.coming, undefined, { instead: [event('error')] })
  const fits = any(taken, all(...onebyone))
  const offer = { accepted: 'avatar-add.several-accepted', given: [fits] } as const
  const several = await add(talk, 'avatar.add', { avatars: quartet }, offer)
  if (hasHeard(talk, done, since)) return several
  for (const _ of quartet) await add(talk, 'avatar.add', { avatars: [{ avatar_id: talk.context.id('single') }] })
  return several
})

/** Adds avatars in `text_chat`, which are selected only by an update. */
export const addAvatars = claiming(
  { 'avatar-add': 'accepted confirmed confirmed-once id-alone-accepted not-active additive' },
  selectAll,
  addSeveral,
).step(async (talk, known: string): Promise<Added> => {
  await activate(talk, host)
  const added = await addOnce(talk, 'avatar.add', { avatars: [curator] }, known, { accepted: 'avatar-add.accepted' })
  const alone = await add(
    talk,
    'avatar.add',
    { avatars: [{ avatar_id: 'porter' }] },
    {
      accepted: 'avatar-add.id-alone-accepted',
    },
  )
  // Which letters an id may have is not said: one that is taken is shown as it is.
  const foreign = await add(talk, 'avatar.add', { avatars: [{ avatar_id: foreigner }] })
  const several = await addSeveral(talk)
  // Not one of all these has become active.
  await look(talk, (it) => ({
    'avatar-add.not-active': onlyIf([added, alone, several, it.confirmed], it.shows({ active_avatar_id: host })),
  }))
  const everyone: Added = [
    ['curator', added],
    ['porter', alone],
    [foreigner, foreign],
    ['pilot', several],
  ]
  await selectAll(talk, everyone)
  for (const avatar of [guide, 'curator', host]) {
    await activate(talk, avatar, 'avatar-add.additive', { given: [added, several], choice: true })
  }
  return everyone
})

/** Added avatars are the session's: the active one is still active over another connection, and the others selectable. */
export const findAgain = claiming({ secret: 'reconnect-keeps-state' }, selectAll).step(
  async (talk, active: Condition, added: Added) => {
    await look(talk, (it) => ({
      'secret.reconnect-keeps-state': onlyIf([active, it.confirmed], it.shows({ active_avatar_id: 'curator' })),
    }))
    // What is active already may be selected without an answer: it comes last.
    const [first, ...others] = added
    await selectAll(talk, first === undefined ? others : [...others, first])
  },
)

const newcomer = { avatar_id: 'newcomer', instructions: 'You are new here.' }

const faults = [
  ['avatar-add.no-avatars-rejected', []],
  [
    'avatar-add.id-missing-rejected',
    [{ avatar_id: 'aide' }, { instructions: 'You have no name.' }, { avatar_id: 'aunt' }],
  ],
  [
    'avatar-add.id-empty-rejected',
    [{ avatar_id: 'boss' }, { avatar_id: '', instructions: 'You have no name.' }, { avatar_id: 'boy' }],
  ],
  ['avatar-add.id-duplicate-in-event-rejected', [newcomer, newcomer]],
  [
    'avatar-add.id-duplicate-in-event-rejected',
    [{ avatar_id: 'double' }, { avatar_id: 'cousin' }, { avatar_id: 'double' }],
  ],
] as const

/** Whatever is wrong with an avatar in `text_chat`. One that is faulty stands between two that are whole. */
export const refuseFaults = claiming(
  {
    'avatar-add': 'missing-avatars-rejected existing-rejected existing-not-confirmed-anew',
    error: 'usable-after-invalid-add',
  },
  rowsIn(faults),
  refused,
).step(async (talk, control: Condition) => {
  const given = [control]
  await refuseAvatars(talk, 'avatar-add.missing-avatars-rejected', undefined, {
    given,
    expect: ({ at, rejected }) => ({
      'error.usable-after-invalid-add': onlyIf([control, rejected], talk.eventually(goesOn, at)),
    }),
  })
  // As with assets: what follows may take long.
  await add(talk, 'avatar.add', { avatars: [{ ...newcomer, avatar_id: 'onward' }] })
  for (const [row, avatars] of faults) await refuseAvatars(talk, row, avatars, { given })
  for (const id of ['curator', guide]) {
    const changed = `You are another ${id}.`
    const anew = showing('avatar.add', '/avatars', (place) => ({
      [`${place}/avatar_id`]: id,
      [`${place}/instructions`]: changed,
    }))
    await refuseAvatars(talk, 'avatar-add.existing-rejected', [{ avatar_id: id, instructions: changed }], {
      given,
      expect: ({ at, answered }) => ({
        'avatar-add.existing-not-confirmed-anew': onlyIf([control, answered], talk.never(anew, at)),
      }),
    })
  }
  await add(talk, 'avatar.add', { avatars: [newcomer] })
})

const noneRows = rows({
  'avatar-add': 'none-registered-on-invalid none-registered-after-invalid none-registered-beside-existing',
})

interface Batch {
  readonly row: (typeof noneRows)[number]
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
export const registerNone = claiming({ 'avatar-add': 'free-after-rejection' }, noneRows, refused).step(
  async (talk, control: Condition) => {
    for (const { row, id, avatars } of batches) {
      const { rejected } = await refuseAvatars(talk, [], avatars, { given: [control] })
      const terms = { given: [control, rejected], choice: row === 'avatar-add.none-registered-beside-existing' }
      const selected = event('session.updated', { '/session/active_avatar_id': id })
      await refuse(
        talk,
        'session.update',
        { session: { active_avatar_id: id } },
        {
          expect: ({ at }) => forRows(row, { condition: talk.never(selected, at, talk.after(1)), terms }),
        },
      )
      const accepted = 'avatar-add.free-after-rejection'
      const added = await add(talk, 'avatar.add', { avatars: [{ avatar_id: id }] }, { accepted, ...terms })
      await activate(talk, id, row, { given: [...terms.given, added], choice: true })
    }
  },
)
