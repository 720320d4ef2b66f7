import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { propertyId, walkKey } from './moves.ts'
import { places } from './places.rules.ts'
import { room } from './room.rules.ts'

const part = 'limits.concurrency'
/** Longer than lists may be behind. */
const settled_ms = 2_500

/** A walk through a workspace of two places. */
class Places {
  readonly trace = new TraceBuilder({
    profile: {
      base_url: 'https://target.example',
      keys: { primary: 'KEY', [walkKey]: 'CAPPED' },
      limits: { [walkKey]: { concurrent_sessions: 2 } },
    },
  })
  readonly #open: string[] = []

  /** A session, or a code. */
  create(result: string | number, sent: Json = {}): this {
    if (typeof result === 'string') this.#open.push(result)
    const data = { session_id: String(result), status: 'active' }
    const told = typeof result === 'string' ? data : result
    return this.#tell('create-avatar-session', told, '/v1/realtime-avatar/sessions', sent)
  }

  /** Until it is over. */
  close(id: string): this {
    this.#open.splice(this.#open.indexOf(id), 1)
    this.#tell('close-avatar-session', {}, `/v1/realtime-avatar/sessions/${id}/close`)
    return this.look(id, 'closed').pass()
  }

  look(id: string, status: string): this {
    return this.#tell('get-avatar-session', { session_id: id, status }, `/v1/realtime-avatar/sessions/${id}`)
  }

  list(...others: readonly string[]): this {
    const sessions = [...this.#open, ...others].map((session_id) => ({ session_id }))
    return this.#tell('list-avatar-sessions', { sessions }, '/v1/realtime-avatar/sessions')
  }

  pass(): this {
    this.trace.pass(settled_ms)
    return this
  }

  get said(): readonly string[] {
    for (const [place, entry] of this.trace.entries.entries()) {
      if (entry.kind === 'request' || entry.kind === 'response') {
        this.trace.entries[place] = { ...entry, scenario: propertyId }
      }
    }
    return [...saidOf([places, room], this.trace)].toSorted()
  }

  #tell(operation: string, result: Json, path: string, sent: Json = {}): this {
    const body = typeof result === 'number' ? { code: result, message: 'no' } : { code: 0, message: 'ok', data: result }
    this.trace.rest(operation, { status: typeof result === 'number' ? 429 : 200, body }, sent, walkKey, path)
    return this
  }
}

const filled = () => new Places().create('ses-1').create('ses-2')
const brokenIn = ({ said }: Places): readonly string[] =>
  said.flatMap((one) => (one.startsWith('broken') ? [one.replace(`broken ${part}.`, '')] : []))

test('places that are freed and taken anew bear the rows out', () => {
  const { said } = filled().create(30006).close('ses-1').create('ses-3')
  expect(said).toEqual(
    ['exceeding-refused', 'full-told-by-30006', 'refused-create-holds-nothing', 'slot-free-when-closed']
      .concat('text-chat-sessions-count', 'volley-within-cap')
      .map((row) => `held ${part}.${row}`)
      .toSorted(),
  )
})

test('a session that was closed and keeps its place is told', () => {
  expect(brokenIn(filled().close('ses-1').list().create(30006).list())).toEqual(['slot-free-when-closed'])
})

test('the close of a session that had ended by itself may take its time to free the place', () => {
  const story = filled().look('ses-1', 'closed').close('ses-1').list().create(30006)
  expect(brokenIn(story.list())).toEqual([])
  story.trace.pass(30_000)
  expect(brokenIn(story.create(30006).list())).toEqual([])
  story.trace.pass(30_000)
  expect(brokenIn(story.create(30006).list())).toEqual(['slot-free-when-closed'])
})

test('so may that of one whose duration was over by then, though nobody looked', () => {
  const story = new Places().create('ses-1', { max_duration_seconds: 4 }).create('ses-2')
  story.trace.pass(4_700)
  expect(brokenIn(story.close('ses-1').list().create(30006).list())).toEqual([])
})

test('what was closed or refused before all places were taken holds none of them', () => {
  const story = filled().create(30006).close('ses-1').create('ses-3').close('ses-2').list()
  expect(brokenIn(story.create(30006).list())).toEqual(['slot-free-when-closed'])
})

test('a create that was refused and holds a place is told', () => {
  const story = filled().close('ses-1').create('ses-3').create(30004).close('ses-2')
  expect(brokenIn(story.list().create(30006).list())).toEqual(['refused-create-holds-nothing'])
})

test('where others are, where nobody tells who is there, or where it result too soon, a full workspace is right', () => {
  const closed = () => filled().close('ses-1')
  expect(brokenIn(closed().list('ses-of-others').create(30006).list('ses-of-others'))).toEqual([])
  expect(brokenIn(closed().list().create(30006).list('ses-of-others'))).toEqual([])
  expect(brokenIn(closed().create(30006).list())).toEqual([])
  const soon = filled().list()
  soon.trace.pass(1)
  expect(brokenIn(soon.create(30006).list())).toEqual([])
})

test('a create of which nobody knows the result may hold the place', () => {
  const story = filled().close('ses-1')
  story.trace.rest('create-avatar-session', 'timeout', {}, walkKey, '/v1/realtime-avatar/sessions')
  expect(brokenIn(story.list().create(30006).list())).toEqual([])
})

test('more sessions than places are told, where all are seen to be open when Get has caught up', () => {
  const over = () => filled().create('ses-3')
  const looked = (story: Places) => story.look('ses-1', 'active').look('ses-2', 'active')
  expect(brokenIn(over())).toEqual([])
  // One may have ended by itself just before the last create.
  expect(brokenIn(looked(over()))).toEqual([])
  expect(brokenIn(looked(over().pass()))).toEqual(['exceeding-refused', 'text-chat-sessions-count'])
})

test('at the cap that the profile declares full is told by 30006 alone', () => {
  expect(brokenIn(filled().create(30008).create(30008))).toEqual(['full-told-by-30006'])
  // Capacity may lack just then.
  expect(brokenIn(filled().create(30008))).toEqual([])
  expect(brokenIn(filled().create(30008).create(30006).create(30008))).toEqual([])
  expect(brokenIn(new Places().create('ses-1').create(30008))).toEqual([])
})

test('what closes may hold places unlisted until sessions of ours have had all of them', () => {
  const early = () => new Places().list().create(30006).list().pass()
  expect(brokenIn(early().create('ses-1').list())).toEqual([])
  expect(brokenIn(early().create('ses-1').list().create(30006).list())).toEqual([])
})
