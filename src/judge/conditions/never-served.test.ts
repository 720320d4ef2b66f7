import { expect, test } from 'vitest'
import { event, eventually } from '#trace/conditions'
import { TraceBuilder } from '#testing/trace-builder'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'

/** A session with a connection, and what is said over it. */
class Talk {
  readonly #trace: TraceBuilder
  readonly #channel: number
  #count = 0

  constructor(trace: TraceBuilder, id: string, mode = 'text_chat', key = 'primary') {
    const data = { session_id: id, session: { mode } }
    trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, key)
    this.#trace = trace
    this.#channel = trace.opened(id)
  }

  /** @returns that the update is confirmed, as it was claimed to be */
  update(avatar: string, error?: string) {
    const id = `${this.#channel}-${(this.#count += 1)}`
    const frame = this.#trace.sent(this.#channel, {
      type: 'session.update',
      event_id: id,
      session: { active_avatar_id: avatar },
    })
    this.#trace.received(
      this.#channel,
      error === undefined
        ? { type: 'session.updated', event_id: id, session: { active_avatar_id: avatar } }
        : { type: 'error', error: { type: error, message: 'no', event_id: id } },
    )
    return eventually(this.#channel, { frame }, event('session.updated', { '/event_id': id }), 1_000)
  }

  addText(): void {
    this.#trace.sent(this.#channel, { type: 'asset.add', event_id: `add-${this.#channel}`, assets: {} })
    this.#trace.received(this.#channel, { type: 'asset.added', assets: {} })
  }
}

const failure = 'server_error'

/**
 * What becomes of the claim that the last of these updates is confirmed.
 *
 * @param modes of the sessions before in which an update failed as well
 */
function stateAfter(
  say: (trace: TraceBuilder) => ReturnType<Talk['update']>,
  modes: readonly string[] = ['text_chat', 'video_avatar'],
): string {
  const trace = new TraceBuilder()
  for (const mode of modes) new Talk(trace, `session-before-${mode}`, mode).update('ada', failure)
  const index = indexTrace(trace.claim('part.a.must', say(trace)).end().entries)
  const [claim] = index.claims
  return claim === undefined ? 'none' : judgeClaim(index, claim.entry).state
}

/** Three different updates fail in a session, in the midst of which something else is done. */
function failThrice(trace: TraceBuilder, between: (talk: Talk) => void, mode = 'text_chat') {
  const talk = new Talk(trace, 'session-a', mode)
  talk.update('ada', failure)
  talk.update('bea', failure)
  between(talk)
  return talk.update('cleo', failure)
}

test('what fails each time in a session that is served with something else is no accident', () => {
  expect(stateAfter((trace) => failThrice(trace, (talk) => talk.addText()))).toBe('broken')
})

test('what fails each time in one session, and is served in another one meanwhile, is no accident', () => {
  const besideOther = (trace: TraceBuilder) => {
    const other = new Talk(trace, 'session-b')
    return failThrice(trace, () => other.update('ada'), 'video_avatar')
  }
  expect(stateAfter(besideOther)).toBe('broken')
})

test.each<[what: string, say: (trace: TraceBuilder) => ReturnType<Talk['update']>]>([
  ['while nothing else is asked for', (trace) => failThrice(trace, () => {})],
  ['in video, which is rendered elsewhere', (trace) => failThrice(trace, (talk) => talk.addText(), 'video_avatar')],
  [
    'while another workspace is served',
    (trace) => {
      const other = new Talk(trace, 'session-b', 'text_chat', 'other_workspace')
      return failThrice(trace, () => other.update('ada'))
    },
  ],
  [
    'but once',
    (trace) => {
      const talk = new Talk(trace, 'session-a')
      talk.update('ada', failure)
      talk.update('bea')
      talk.addText()
      talk.update('cleo', failure)
      return talk.update('ada', failure)
    },
  ],
  [
    'with the same words each time',
    (trace) => {
      const talk = new Talk(trace, 'session-a')
      talk.addText()
      for (let time = 0; time < 4; time += 1) talk.update('ada', failure)
      return talk.update('bea', failure)
    },
  ],
  [
    'for a limit that it meets',
    (trace) => {
      const talk = new Talk(trace, 'session-a')
      talk.update('ada', 'overloaded')
      talk.update('bea', 'overloaded')
      talk.addText()
      return talk.update('cleo', 'overloaded')
    },
  ],
  [
    'in a run in which one in ten fails',
    (trace) => {
      const other = new Talk(trace, 'session-b')
      for (let time = 0; time < 20; time += 1) other.update(`avatar-${time}`, time % 10 === 0 ? failure : undefined)
      return failThrice(trace, (talk) => talk.addText())
    },
  ],
])('what fails %s may be an accident', (_, say) => {
  expect(stateAfter(say)).toBe('unobserved')
})

test('what fails each time in one session, and was not tried in another one that was made so, may be an accident', () => {
  const fail = (trace: TraceBuilder) => failThrice(trace, (talk) => talk.addText())
  expect(stateAfter(fail, [])).toBe('unobserved')
  expect(stateAfter(fail, ['video_avatar'])).toBe('unobserved')
})
