import { expect, test } from 'vitest'
import { indexTrace } from '#judge/trace-index'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { type Ending, isHabit } from './endings.ts'

const path = (id: string): string => `/v1/realtime-avatar/sessions/${id}`
const ok = (data: Json) => ({ body: { code: 0, message: 'ok', data } })
const seconds = 1_000

/** What a run saw of sessions, at so many seconds of it. */
class Run {
  readonly #trace = new TraceBuilder()
  #now = 0

  made(id: string, at: number, key = 'primary'): this {
    return this.#at(at, () => this.#trace.rest('create-avatar-session', ok({ session_id: id }), {}, key))
  }

  /** Started from a character. */
  started(id: string, at: number): this {
    const [operation, sent] = ['create-session-from-character', { character_id: 'chr_1' }] as const
    return this.#at(at, () => this.#trace.rest(operation, ok({ session_id: id }), sent))
  }

  closed(id: string, at: number): this {
    return this.#at(at, () => this.#trace.rest('close-avatar-session', ok({}), {}, 'primary', `${path(id)}/close`))
  }

  /** Somebody is connected from then on. */
  connected(id: string, at: number): this {
    return this.#at(at, () => this.#trace.opened(id))
  }

  active(id: string, at: number): this {
    const shown = ok({ session_id: id, status: 'active' })
    return this.#at(at, () => this.#trace.rest('get-avatar-session', shown, {}, 'primary', path(id)))
  }

  #at(at: number, act: () => void): this {
    this.#trace.pass((at - this.#now) * seconds)
    this.#now = at
    act()
    return this
  }

  isHabit(...endings: readonly (readonly [id: string, from: number, until: number])[]): boolean {
    const spans: readonly Ending[] = endings.map(([id, from, until]) => ({
      id,
      from: from * seconds,
      until: until * seconds,
    }))
    const entries = this.#trace.entries.map((entry) =>
      entry.kind === 'header' ? entry : { ...entry, scenario: 'any' },
    )
    return isHabit(indexTrace(entries), spans)
  }
}

const two = () => new Run().made('s1', 0).made('s2', 5)

test('sessions that end at the same age end by a limit of the service', () => {
  expect(two().isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(true)
  expect(two().isHabit(['s1', 10, 13], ['s2', 19, 19.5])).toBe(false)
})

test('a session that was open at a greater age tells that there is no such limit', () => {
  const run = () => two().made('s3', 6)
  expect(run().active('s3', 20).isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(true)
  expect(run().active('s3', 30).isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(false)
})

test('no limit ends a session before its fourth second', () => {
  expect(two().isHabit(['s1', 1, 3], ['s2', 6, 8])).toBe(false)
})

test('a service may end all its sessions now and then', () => {
  expect(two().isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
  expect(two().isHabit(['s1', 8, 9], ['s2', 16, 17.5])).toBe(false)
})

test('a service may have ended all at any moment at which nobody looked', () => {
  expect(two().isHabit(['s1', 9, 18], ['s2', 19, 21])).toBe(true)
  const three = two().made('s3', 17)
  expect(three.isHabit(['s1', 7, 20], ['s2', 18, 25], ['s3', 24, 27])).toBe(true)
  expect(three.isHabit(['s1', 18.5, 20], ['s2', 18, 25], ['s3', 24, 27])).toBe(false)
})

test('a session that was spared tells that not all were ended', () => {
  const run = () => two().made('s3', 6)
  expect(run().active('s3', 8.5).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
  expect(run().active('s3', 14).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(false)
})

test('a copy that is behind spares no session', () => {
  expect(two().made('s3', 6).active('s3', 10).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
})

test('a session to which somebody is connected need not be swept', () => {
  expect(two().made('s3', 6).connected('s3', 7).active('s3', 14).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
})

test('sessions of another workspace tell nothing of the limits of this one', () => {
  const run = (key: string) => two().made('s3', 6, key).active('s3', 30)
  expect(run('same_workspace').isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(false)
  expect(run('other_workspace').isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(true)
  expect(run('same_workspace').isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(false)
  expect(run('other_workspace').isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
})

test('an end a little late is no other age', () => {
  const run = () => two().made('s3', 6)
  expect(run().active('s3', 22.5).isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(true)
  expect(run().active('s3', 23.5).isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(false)
})

test('ends that each come with a close of another session are those of the closes', () => {
  const run = () => two().made('s3', 6).closed('s3', 8.5).made('s4', 20)
  expect(run().isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
  expect(run().closed('s4', 28).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(false)
})

test('a close that spared a session tells that closes take none along', () => {
  const run = () => two().made('s3', 6).closed('s3', 8.5).made('s4', 20).made('s5', 21).made('s6', 22)
  expect(run().closed('s5', 23).active('s6', 25.5).closed('s4', 28).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
  expect(run().closed('s5', 23).active('s6', 24).closed('s4', 28).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(false)
})

test('a close that takes along all sessions of a character may spare others', () => {
  const walk = new Run().made('s1', 0).made('s2', 1).closed('s1', 2).active('s2', 5).started('a1', 20).started('a2', 21)
  const pairs = walk.closed('a1', 25.5).started('b1', 30).started('b2', 31).closed('b1', 35.5)
  expect(pairs.isHabit(['a2', 25, 26], ['b2', 35, 36])).toBe(false)
})
