import fc from 'fast-check'
import { expect, test } from 'vitest'
import { again, type Change, drop, move, set, type Steps } from '#testing/channel/steps'
import { type Deed, idsOf, mixed, stories, type Story } from '#testing/channel/stories'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from './rules.ts'

const broken = (steps: Steps): readonly string[] => verdictsOf(rules, steps).broken

const videoOf = ({ one, two }: Story, id: string): boolean => (id.startsWith('one') ? one : two).video

interface Mutation {
  readonly what: string
  readonly kinds: readonly Deed['kind'][]
  /** Only where it is rendered. */
  readonly video?: true
  readonly change: (id: string) => Change
  /** One of these is broken then; any where nothing is said. */
  readonly breaks: readonly string[]
}

const speechOnly = ['speech'] as const
const alter = (id: string, name: string): Change => set(`${id}.${name}`, { delta: 'Something else altogether' })

const mutations: readonly Mutation[] = [
  {
    what: 'two events with one event_id',
    kinds: speechOnly,
    change: (id) => (steps) =>
      set(`${id}.done`, { event_id: 'twin' })(set(`${id}.created`, { event_id: 'twin' })(steps)),
    breaks: ['server-event.event-id-unique'],
  },
  {
    what: 'an event_id of the client',
    kinds: speechOnly,
    change: (id) => set(`${id}.done`, { event_id: id }),
    breaks: ['server-event.event-id-server-generated'],
  },
  {
    what: 'a delta altered',
    kinds: speechOnly,
    change: (id) => alter(id, 'delta1'),
    breaks: ['text-delta.concatenate-to-final-text'],
  },
  {
    what: 'a delta dropped',
    kinds: speechOnly,
    change: (id) => drop(`${id}.delta2`),
    breaks: ['text-delta.concatenate-to-final-text'],
  },
  {
    what: 'a delta repeated',
    kinds: speechOnly,
    change: (id) => again(`${id}.delta1`),
    breaks: ['text-delta.concatenate-to-final-text'],
  },
  {
    what: 'a final text dropped',
    kinds: speechOnly,
    change: (id) => drop(`${id}.text`),
    breaks: ['text-done.for-every-completed-stream'],
  },
  { what: 'a final text repeated', kinds: speechOnly, change: (id) => again(`${id}.text`), breaks: ['text-done.once'] },
  {
    what: 'a delta behind the final text',
    kinds: speechOnly,
    change: (id) => move(`${id}.delta2`, `${id}.text`),
    breaks: ['text-done.no-delta-after'],
  },
  {
    what: 'a delta behind the end',
    kinds: ['speech', 'cut'],
    change: (id) => again(`${id}.delta1`, `${id}.done`),
    breaks: ['response-done.last-event'],
  },
  {
    what: 'an item finished twice',
    kinds: ['speech', 'cut'],
    change: (id) => again(`${id}.item.done`),
    breaks: ['output-item-done.once'],
  },
  {
    what: 'an item never finished',
    kinds: ['speech', 'cut'],
    change: (id) => drop(`${id}.item.done`),
    breaks: ['output-item-done.for-every-introduced-item', 'output-item-done.on-cancelled'],
  },
  {
    what: 'an item finished behind the end',
    kinds: speechOnly,
    change: (id) => move(`${id}.item.done`, `${id}.done`),
    breaks: ['output-item-done.before-done'],
  },
  {
    what: 'an end dropped',
    kinds: ['speech', 'cut'],
    change: (id) => drop(`${id}.done`),
    breaks: ['response-done.always', 'response-done.once'],
  },
  {
    what: 'an end repeated',
    kinds: ['speech', 'cut'],
    change: (id) => again(`${id}.done`),
    breaks: ['response-done.once'],
  },
  {
    what: 'a start behind text',
    kinds: speechOnly,
    change: (id) => move(`${id}.created`, `${id}.delta1`),
    breaks: ['response-created.precedes-output'],
  },
  {
    what: 'a rendering that never stops',
    kinds: ['speech', 'cut'],
    video: true,
    change: (id) => drop(`${id}.stopped`),
    breaks: ['render-stopped.follows-started'],
  },
  {
    what: 'a rendering that stops twice',
    kinds: ['speech', 'cut'],
    video: true,
    change: (id) => again(`${id}.stopped`),
    breaks: ['render-stopped.once'],
  },
  {
    what: 'a rendering that stops behind the end',
    kinds: ['speech', 'cut'],
    video: true,
    change: (id) => move(`${id}.stopped`, `${id}.done`),
    breaks: ['render-stopped.before-done'],
  },
  {
    what: 'an update acknowledged twice',
    kinds: ['update'],
    change: (id) => again(`${id}.updated`),
    breaks: ['session-update.updated-once'],
  },
  {
    what: 'an update that is never acknowledged',
    kinds: ['update'],
    change: (id) => drop(`${id}.updated`),
    breaks: ['session-update.accepted-yields-updated'],
  },
  {
    what: 'an update that never ends',
    kinds: ['update'],
    change: (id) => drop(`${id}.done`),
    breaks: ['session-update.accepted-yields-done'],
  },
  {
    what: 'an update that ends twice',
    kinds: ['update'],
    change: (id) => again(`${id}.done`),
    breaks: ['session-update.done-once'],
  },
  {
    what: 'an update that ends before its acknowledgement',
    kinds: ['update'],
    change: (id) => move(`${id}.updated`, `${id}.done`),
    breaks: ['session-update.accepted-yields-done'],
  },
  {
    what: 'an item confirmed twice',
    kinds: ['item'],
    change: (id) => again(`${id}.created`),
    breaks: ['item-create.confirmed-once'],
  },
  {
    what: 'an addition confirmed twice',
    kinds: ['asset'],
    change: (id) => again(`${id}.added`),
    breaks: ['asset-add.confirmed-once'],
  },
  {
    what: 'text that comes in another session',
    kinds: ['speech'],
    change: (id) => (steps) =>
      steps.map((step) =>
        'tag' in step && step.tag === `${id}.delta1`
          ? { ...step, channel: id.startsWith('one') ? 'two' : 'one' }
          : step,
      ),
    breaks: [],
  },
]

const seed = 18

test('legal channel traces break no rule, in whatever order two sessions pass each other', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(stories, (story) => {
      expect(verdictsOf(rules, mixed(story)).reasons).toEqual([])
    }),
    { numRuns: 150, seed },
  )
})

test.each(mutations)('$what is noticed', { timeout: 120_000 }, ({ kinds, video, change, breaks }) => {
  let made = 0
  fc.assert(
    fc.property(stories, (story) => {
      const ids = idsOf(story, ...kinds).filter((id) => video === undefined || videoOf(story, id))
      const id = ids[story.pick % Math.max(1, ids.length)]
      if (id === undefined) return
      made += 1
      const found = broken(change(id)(mixed(story)))
      if (breaks.length === 0) expect(found.length).toBeGreaterThan(0)
      else
        expect(
          found.some((row) => breaks.includes(row)),
          `${breaks.join()} not among ${found.join()}`,
        ).toBe(true)
    }),
    { numRuns: 40, seed },
  )
  expect(made).toBeGreaterThan(3)
})
