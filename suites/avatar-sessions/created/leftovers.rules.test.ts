import { describe, expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { refusedLeavesNoSession } from './leftovers.rules.ts'

const row = 'avatar-sessions.create.refused-leaves-no-session'
const ghost = 'ghost-12345'
const scenario = 'avatar-sessions.leftovers'
const refusal = (code: number) => ({ status: 429, body: { code, message: 'no' } })
const mishap = { status: 500, body: { code: 50_000, message: 'oops' } }

/** Two lists of one scenario, and between them a create that makes `ses-1`, and what else is done. */
class Story {
  readonly trace = new TraceBuilder()

  constructor() {
    this.list()
    this.trace.created('ses-1')
  }

  /** A create whose sendings are answered in turn. */
  create(answers: readonly Parameters<TraceBuilder['rest']>[1][], avatar = ghost, again = avatar): this {
    const [first = 'timeout', ...others] = answers
    const body = { idempotency_key: again, avatars: [{ avatar_id: avatar }] }
    const exchange = this.trace.rest('create-avatar-session', first, body)
    for (const other of others) this.trace.again(exchange, other)
    return this
  }

  startLost(): this {
    const data = { character_id: 'chr_1' }
    this.trace.rest('create-character', { body: { code: 0, message: 'ok', data } }, { avatars: [{ avatar_id: ghost }] })
    this.trace.rest('create-session-from-character', 'timeout', { character_id: 'chr_1' })
    return this
  }

  list(...sessions: readonly Json[]): this {
    this.trace.rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data: { sessions } } })
    return this
  }

  said(): readonly string[] {
    for (const [place, entry] of this.trace.entries.entries())
      if (entry.kind === 'request') this.trace.entries[place] = { ...entry, scenario }
    return [...saidOf([refusedLeavesNoSession], this.trace)]
  }
}

const own = { session_id: 'ses-1' }
const shown = { session_id: 'ses-x', avatars: [{ avatar_id: ghost }] }

describe('what a refused create leaves behind', () => {
  test('nothing new', () => {
    expect(
      new Story()
        .create([refusal(30004)])
        .list(own)
        .said(),
    ).toEqual([`held ${row}`])
  })

  test.each([10008, 30006, 30008])('a session with the avatar that only it had: %d', (code) => {
    expect(
      new Story()
        .create([refusal(code)])
        .list(own, shown)
        .said(),
    ).toEqual([`broken ${row}`])
  })

  test.each([10008, 30006, 30008])('nothing for sure where it had been sent before without an answer: %d', (code) => {
    const story = new Story().create(['timeout', refusal(code)])
    expect(story.list(own, shown).said()).toEqual([`unobserved ${row}`])
  })

  test('nothing for sure where it had failed inside the service before', () => {
    const story = new Story().create([mishap, refusal(30006)])
    expect(story.list(own, shown).said()).toEqual([`unobserved ${row}`])
  })

  test('nothing where the service failed inside: that is no refusal', () => {
    expect(new Story().create([mishap]).list(own, shown).said()).toEqual([])
  })

  test('nothing for sure where a start without an answer had the avatar, too', () => {
    const story = new Story().startLost().create([refusal(30006)])
    expect(story.list(own, shown).said()).toEqual([`unobserved ${row}`])
  })

  const three = ['one', 'two', 'three']
  const unknown = three.map((id) => ({ session_id: `ses-${id}` }))

  test('as many new sessions as refused creates are no coincidence', () => {
    const story = new Story()
    for (const id of three) story.create([refusal(30006)], id)
    expect(story.list(own, ...unknown).said()).toEqual([`broken ${row}`])
  })

  test('as many new sessions as creates without an answer are theirs', () => {
    const story = new Story()
    for (const id of three) story.create([refusal(30006)], id).create(['timeout'], id, `lost ${id}`)
    expect(story.list(own, ...unknown).said()).toEqual([`unobserved ${row}`])
    const again = new Story()
    for (const id of three) again.create(['timeout', refusal(30006)], id)
    expect(again.list(own, ...unknown).said()).toEqual([`unobserved ${row}`])
  })
})
