import { expect, test } from 'vitest'
import { answered, judgedCreates } from '#testing/creates'
import { createdSession } from '#testing/created-session'
import { TraceBuilder } from '#testing/trace-builder'
import type { Entry } from '#trace/entry'
import type { Json } from '#trace/json'
import { textChat } from '#scenario/author/bodies'
import { changed } from '../change.ts'

const row = 'create.refused-leaves-no-session'
const ok = (data: Json) => ({ body: { code: 0, message: 'ok', data } })
const ghost = changed(textChat(), { set: { '/avatars/0/avatar_id': 'ghost-r1-7', '/max_duration_seconds': 3 } })

/** Lists before and after an accepted create and some refused ones, as one scenario's. */
function trace(after: Json, { refusals = 1, form = (ids: Json) => ids } = {}): TraceBuilder {
  const built = new TraceBuilder()
  built.rest('list-avatar-sessions', ok(form([{ session_id: 'older' }])))
  answered(built, textChat(), createdSession(textChat(), 1))
  for (let count = 0; count < refusals; count += 1) {
    built.rest('create-avatar-session', { body: { code: 30004, message: 'invalid argument' } }, ghost)
  }
  built.rest('list-avatar-sessions', ok(form(after)))
  for (const [place, entry] of built.entries.entries()) {
    if (entry.kind !== 'header') built.entries[place] = { ...entry, scenario: 'one' } as Entry
  }
  return built
}

const own: Json = { session_id: 'session-1' }
const [older, strange]: [Json, Json] = [{ session_id: 'older' }, { session_id: 'strange' }]

test('nothing new but what was made bears it out', () => {
  expect(judgedCreates(trace([own, older])).held).toContain(row)
})

test('a new session with the avatar of a refused body is a breach', () => {
  const marked = { session_id: 'strange', session: { active_avatar_id: 'ghost-r1-7' } }
  expect([...judgedCreates(trace([own, marked])).broken]).toEqual([row])
})

test('a new session of which Get tells the avatar is a breach', () => {
  const built = trace([own, strange])
  built.rest('get-avatar-session', ok({ avatars: [{ avatar_id: 'ghost-r1-7' }] }))
  const request = built.entries.at(-2)
  if (request?.kind === 'request')
    built.entries.splice(-2, 1, { ...request, path: '/v1/realtime-avatar/sessions/strange' })
  expect([...judgedCreates(built).broken]).toEqual([row])
})

test('one new session for each of three refused creates is a breach', () => {
  const foreign = ['x', 'y', 'z'].map((name) => ({ session_id: `strange-${name}` }))
  expect([...judgedCreates(trace([own, older, ...foreign], { refusals: 3 })).broken]).toEqual([row])
  // Others come and go, or the list shows a part.
  for (const some of [[own], [older]]) {
    const said = judgedCreates(trace([...some, ...foreign], { refusals: 3 }))
    expect([...said.broken]).toEqual([])
    expect(said.open).toContain(`${row} model_choice`)
  }
})

test('a session of somebody else proves nothing', () => {
  const said = judgedCreates(trace([own, strange]))
  expect([...said.broken]).toEqual([])
  expect(said.open).toContain(`${row} model_choice`)
})

test('the loser of a volley, whose body is that of the winner, is not blamed for a session of somebody else', () => {
  const winner = changed(ghost, { drop: ['/max_duration_seconds'] })
  const built = trace([own, strange, { session_id: 'session-2', session: { active_avatar_id: 'ghost-r1-7' } }])
  const last = built.entries.splice(-2)
  answered(built, winner, createdSession(winner, 2))
  built.entries.push(...last)
  expect([...judgedCreates(built).broken]).toEqual([])
})

test('a list without the session that was made proves nothing', () => {
  expect(judgedCreates(trace([older])).open).toContain(`${row} model_choice`)
})

test('a list of bare ids is understood', () => {
  const form = (items: Json) => ({ ids: (items as { session_id: string }[]).map(({ session_id }) => session_id) })
  expect(judgedCreates(trace([own, older], { form })).held).toContain(row)
})
