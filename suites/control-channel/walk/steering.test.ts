import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { choose, type Option, pairOf, WalkMemory } from '#scenario/author/steering'
import { optionsAt as additionsAt, type Register } from './register.ts'
import { optionsAt as itemsIn, type Shelf } from './shelf.ts'
import { type Abilities, optionsAt, type Stage } from './stages.ts'
import { optionsAt as stateAt, type Place } from './place.ts'
import { tours } from './tours.ts'

const [plan = []] = drawPlans(7, 1, 12)
const shelf: Shelf = { items: ['a', 'b', 'c', 'd'], gone: ['e'], last: 'a deletion' }
const everything: Abilities = { calls: true, video: true, acting: true }
const itemsAt = (at: Shelf) => itemsIn(at, everything)
const responsesAt = (at: Stage) => optionsAt(at, everything)
const stage: Stage = { busy: 'active', last: 'at once' }
const place: Place = { mode: 'video_avatar', avatar: 'anna', image: 'chosen', connections: 2 }
const register: Register = {
  texts: ['t'],
  prompts: [],
  media: [],
  avatars: ['a'],
  refusedTexts: ['r'],
  refusedPrompts: ['p'],
  refusedAvatars: [],
  last: 'a refusal',
}

/** What a plan does where nothing changes but what was made. */
function taken<Move>(options: readonly Option<Move>[]): readonly string[] {
  const memory = new WalkMemory()
  return plan.flatMap((step) => {
    const option = choose(step, options, memory, [])
    if (option !== undefined) memory.made.add(pairOf(option))
    return option === undefined ? [] : [option.operation]
  })
}

test('one seed means the same operations in every release', () => {
  expect(taken(itemsAt(shelf)).join(', ')).toMatchInlineSnapshot(
    `"insert after a deleted one, delete beside a speech, delete the newest, insert after the first, append an id in another case, speak out of band, append a long text, insert at the root, generate into it, delete the last, retrieve a deleted one, generate into it"`,
  )
  expect(taken(responsesAt(stage)).join(', ')).toMatchInlineSnapshot(
    `"queue an unknown text, interrupt briefly, queue, reject if busy, reject if busy, queue on both connections, queue audio, cancel it, queue a registered text, linger, hear it out, queue out of band"`,
  )
  expect(taken(stateAt(place, true)).join(', ')).toMatchInlineSnapshot(
    `"no image beside an avatar, another avatar with an image, delete over one, look over the other, the same mode, to text, change connections, the same avatar, change connections, another avatar, leave one connection, to text with another avatar, no image"`,
  )
  expect(taken(additionsAt(register, true)).join(', ')).toMatchInlineSnapshot(
    `"add a text again, add a refused prompt, add a refused text, speak a text, add beside an existing avatar, add beside an invalid text, add a prompt under the id of a text, speak a refused text, select an avatar, speak a text, add behind an invalid avatar, add an avatar"`,
  )
})

test('no step of a plan is skipped', () => {
  for (const options of [itemsAt(shelf), responsesAt(stage), stateAt(place, true), additionsAt(register, true)]) {
    expect(taken<unknown>(options as readonly Option<unknown>[])).toHaveLength(plan.length)
  }
})

test('what needs something is no option without it', () => {
  const bare = itemsAt({ items: ['a'], gone: [], last: 'an append' }).map(({ operation }) => operation)
  expect(bare.filter((operation) => operation.startsWith('delete') || operation.includes('deleted'))).toEqual([])
  expect(stateAt({ ...place, mode: 'text_chat' }, false).map(({ operation }) => operation)).not.toContain('to video')
})

test('tours name operations that there are', () => {
  const named = (options: readonly { readonly operation: string }[]) =>
    new Set(options.map(({ operation }) => operation))
  const responses = (['active', 'active, one waits'] as const).flatMap((busy) => responsesAt({ busy, last: 'at once' }))
  responses.push(...responsesAt({ busy: 'idle', last: 'whole' }))
  const states = ([1, 2] as const).flatMap((connections) =>
    (['text_chat', 'video_avatar'] as const).flatMap((mode) => stateAt({ ...place, connections, mode }, true)),
  )
  const all = { ...register, prompts: ['p'], media: ['m'], refusedAvatars: ['r'] }
  expect(
    [
      ...tours.meetings,
      ...tours.meetingsInText,
      ...tours.moreMeetingsInText,
      ...tours.meetingsOfOthers,
      ...tours.meetingsInVideo,
    ].filter((one) => !named(responses).has(one)),
  ).toEqual([])
  expect(
    tours.items.filter((one) => !named(itemsAt({ ...shelf, outputs: ['e'], calls: ['c'], generated: ['g'] })).has(one)),
  ).toEqual([])
  expect(tours.state.filter((one) => !named(states).has(one))).toEqual([])
  expect(
    [...tours.additions, ...tours.additionsOfKinds].filter((one) => !named(additionsAt(all, true)).has(one)),
  ).toEqual([])
})
