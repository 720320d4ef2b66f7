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

  made(id: string, at: number): this {
    return this.#at(at, () => this.#trace.rest('create-avatar-session', ok({ session_id: id }), {}, 'primary'))
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

test('one end, and ends at one moment, may be accidents', () => {
  expect(two().isHabit(['s1', 8, 9])).toBe(true)
  expect(two().isHabit(['s1', 8, 11], ['s2', 10, 12])).toBe(true)
})

test('sessions that end at the same age end by a limit of the service', () => {
  expect(two().isHabit(['s1', 10, 13], ['s2', 16, 18])).toBe(true)
  expect(two().isHabit(['s1', 10, 13], ['s2', 19, 20])).toBe(false)
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
  expect(two().isHabit(['s1', 8, 9], ['s2', 16, 18.5])).toBe(false)
})

test('a session that was spared tells that not all were ended', () => {
  const run = () => two().made('s3', 6)
  expect(run().active('s3', 8.5).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(true)
  expect(run().active('s3', 10).isHabit(['s1', 8, 9], ['s2', 27, 29])).toBe(false)
})
