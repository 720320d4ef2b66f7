import { describe, expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { madeNothing } from './made-nothing.rules.ts'

const [any, cap, rate] = [
  'errors.envelope.nonzero-code-is-failure',
  'limits.concurrency.refused-create-makes-nothing',
  'limits.api-key-rate.refused-create-makes-nothing',
]

/** A workspace, step by step. */
class Story {
  readonly trace: TraceBuilder
  readonly #key: string

  constructor(key = 'capped', header: ConstructorParameters<typeof TraceBuilder>[0] = {}) {
    this.trace = new TraceBuilder(header)
    this.#key = key
  }

  made(id: string, again = `key-${id}`): this {
    const body = { code: 0, message: 'ok', data: { session_id: id } }
    this.trace.rest(
      'create-avatar-session',
      { body },
      { idempotency_key: again, avatars: [{ avatar_id: 'ada' }] },
      this.#key,
    )
    return this
  }

  refused(code: number, again = 'refused', avatar = 'ada'): this {
    const sent = { idempotency_key: again, avatars: [{ avatar_id: avatar }] }
    this.trace.rest('create-avatar-session', { status: 429, body: { code, message: 'no' } }, sent, this.#key)
    return this
  }

  lost(again: string, avatar = 'ada'): this {
    const sent = { idempotency_key: again, avatars: [{ avatar_id: avatar }] }
    this.trace.rest('create-avatar-session', 'timeout', sent, this.#key)
    return this
  }

  lostThenRefused(code: number, avatar: string): this {
    const sent = { idempotency_key: 'tried again', avatars: [{ avatar_id: avatar }] }
    const exchange = this.trace.rest('create-avatar-session', 'timeout', sent, this.#key)
    this.trace.again(exchange, { status: 429, body: { code, message: 'no' } })
    return this
  }

  startLost(avatar: string): this {
    const [data, avatars] = [{ character_id: 'chr_1' }, [{ avatar_id: avatar }]]
    this.trace.rest('create-character', { body: { code: 0, message: 'ok', data } }, { avatars }, this.#key)
    this.trace.rest('create-session-from-character', 'timeout', { character_id: 'chr_1' }, this.#key)
    return this
  }

  list(...ids: readonly Json[]): this {
    const sessions = ids.map((id) => (typeof id === 'string' ? { session_id: id } : id))
    this.trace.rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data: { sessions } } }, {}, this.#key)
    return this
  }

  said(): readonly string[] {
    // Without a scenario it is cleanup that sends.
    for (const entry of this.trace.entries)
      if (entry.kind !== 'header') Object.assign(entry, { scenario: 'part.scenario', ...entry })
    return [...saidOf([madeNothing], this.trace)].toSorted()
  }
}

describe('what refused creates leave behind', () => {
  test('nothing new shows', () => {
    const story = new Story().made('ses-1').list('ses-1').refused(30006).list('ses-1')
    expect(story.said()).toEqual([`held ${any}`, `held ${cap}`])
  })

  test('sessions that were made meanwhile are ours', () => {
    const story = new Story().made('ses-1').list('ses-1').refused(30004).made('ses-2').list('ses-1', 'ses-2')
    expect(story.said()).toEqual([`held ${any}`])
  })

  test('a new session in a workspace that we had filled is that of the refused create', () => {
    const story = new Story().made('ses-1').refused(30006).list('ses-1').refused(30006).list('ses-1', 'ses-x')
    expect(story.said()).toEqual([`broken ${any}`, `broken ${cap}`])
  })

  test('the same is undecided where others hold places', () => {
    const story = new Story().made('ses-1').refused(30006).list('ses-1', 'ses-o').refused(30006).list('ses-1', 'ses-x')
    expect(story.said()).toEqual([`unobserved ${any}`, `unobserved ${cap}`])
  })

  test('a session that was listed before its create succeeded had been made by the refused one', () => {
    const story = new Story()
      .made('ses-1')
      .list('ses-1')
      .refused(10008, 'again')
      .list('ses-1', 'ses-x')
      .made('ses-x', 'again')
    expect(story.said()).toEqual([`broken ${any}`, `broken ${rate}`])
  })

  test('a session that the list before showed, too, is an older one of the key', () => {
    const story = new Story().made('ses-1').list('ses-1', 'ses-x').refused(10008, 'again').list('ses-1', 'ses-x')
    expect(story.made('ses-x', 'again').said()).not.toContain(`broken ${any}`)
  })

  test('in a recording others have sessions with the same avatars, and older ones of the same keys', () => {
    const recorded = () => new Story('primary', { recording: 'watch' }).made('ses-1').list('ses-1')
    const early = recorded().refused(10008, 'again').list('ses-1', 'ses-x').made('ses-x', 'again')
    expect(early.said()).not.toContain(`broken ${any}`)
    const other = { session_id: 'ses-x', avatars: [{ avatar_id: 'support-agent' }] }
    const marked = recorded().refused(30008, 'a', 'support-agent').list('ses-1', other)
    expect(marked.said()).not.toContain(`broken ${any}`)
  })

  test('as many new sessions as refused creates are no coincidence on a key for tests', () => {
    const told = (key: string) => {
      const story = new Story(key).made('ses-1').list('ses-1').refused(10008).refused(10008).refused(10008)
      return story.list('ses-1', 'ses-x', 'ses-y', 'ses-z').said()
    }
    expect(told('rate_limited')).toEqual([`broken ${any}`, `broken ${rate}`])
    expect(told('primary')).toEqual([`unobserved ${any}`, `unobserved ${rate}`])
  })

  test('as many new sessions as refused creates may be those of others, who come and go', () => {
    const story = new Story('rate_limited').made('ses-1').list('ses-1', 'ses-of-others')
    const refused = story.refused(10008).refused(10008).refused(10008)
    expect(refused.list('ses-1', 'ses-x', 'ses-y', 'ses-z').said()).toEqual([`unobserved ${any}`, `unobserved ${rate}`])
  })

  test('an avatar that a create without an answer had, too, gives nothing away', () => {
    const ghost = { session_id: 'ses-x', avatars: [{ avatar_id: 'ghost-12345' }] }
    const story = new Story().made('ses-1').lost('own', 'ghost-12345').list('ses-1').refused(30006, 'a', 'ghost-12345')
    expect(
      story
        .list('ses-1', ghost)
        .said()
        .filter((line) => line.startsWith('broken')),
    ).toEqual([])
  })

  test('an avatar that a start without an answer would have, too, gives nothing away', () => {
    const ghost = { session_id: 'ses-x', avatars: [{ avatar_id: 'ghost-12345' }] }
    const story = new Story().made('ses-1').startLost('ghost-12345').list('ses-1').refused(30006, 'a', 'ghost-12345')
    expect(story.list('ses-1', ghost).said()).toEqual([`unobserved ${any}`, `unobserved ${cap}`])
  })

  test('an avatar of a create that was tried again in vain after no answer gives nothing away', () => {
    const ghost = { session_id: 'ses-x', avatars: [{ avatar_id: 'ghost-12345' }] }
    const story = new Story().made('ses-1').list('ses-1').lostThenRefused(30006, 'ghost-12345').list('ses-1', ghost)
    expect(story.said()).toEqual([`unobserved ${any}`, `unobserved ${cap}`])
  })

  test('as many new sessions as creates without an answer are theirs', () => {
    const story = new Story('rate_limited').made('ses-1').list('ses-1')
    for (const again of ['a', 'b', 'c']) story.refused(10008, `refused ${again}`).lost(again)
    expect(story.list('ses-1', 'ses-x', 'ses-y', 'ses-z').said()).toEqual([`unobserved ${any}`, `unobserved ${rate}`])
  })

  test('a new session in a workspace that we had filled may be that of a create without an answer', () => {
    const story = new Story().lost('own').made('ses-1').refused(30006).list('ses-1').refused(30006)
    expect(story.list('ses-1', 'ses-x').said()).toEqual([`unobserved ${any}`, `unobserved ${cap}`])
  })

  test('an avatar that only the refused body had gives it away', () => {
    const ghost = { session_id: 'ses-x', avatars: [{ avatar_id: 'ghost-12345' }] }
    const story = new Story().made('ses-1').list('ses-1').refused(30004, 'k', 'ghost-12345').list('ses-1', ghost)
    expect(story.said()).toEqual([`broken ${any}`])
  })

  test('a session that another create of the key made, or may have made, is not that of the refused one', () => {
    const made = new Story().made('ses-1').list('ses-1').refused(30004, 'again').made('ses-2', 'again')
    expect(made.list('ses-1', 'ses-2').made('ses-2', 'again').said()).toEqual([`held ${any}`])
    const lost = new Story().made('ses-1').list('ses-1').refused(30006, 'again').lost('again')
    expect(lost.list('ses-1', 'ses-2').made('ses-2', 'again').said()).toEqual([`held ${any}`, `held ${cap}`])
  })

  test('one unknown session among others’ is undecided', () => {
    const story = new Story().made('ses-1').list('ses-1').refused(30004).list('ses-1', 'ses-x')
    expect(story.said()).toEqual([`unobserved ${any}`])
  })

  test('a list that shows no session of ours tells nothing', () => {
    const story = new Story().made('ses-1').list().refused(30004).list('ses-x')
    expect(story.said()).toEqual([`unobserved ${any}`])
  })
})
