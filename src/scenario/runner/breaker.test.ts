import { expect, test } from 'vitest'
import type { Channel } from '#client/types'
import { envelope, silence } from '#testing/fake-service'
import { createBreaker } from './breaker.ts'
import { createSlots } from './slots.ts'

const slots = createSlots({ base_url: '', keys: {} })

const frame = { frame: 1, t: 0, type: 'error', data: {} }

const channel = (some: Partial<Channel>) => ({ frames: [], sent: 1, gave_up: false, ...some }) as unknown as Channel

function after(...scenarios: readonly Partial<Channel>[]) {
  const breaker = createBreaker(slots)
  for (const one of scenarios) breaker.heard([channel(one)])
  return breaker.unanswered()?.code
}

const six = <T>(one: T): T[] => Array.from({ length: 6 }, () => one)

test('channels that never say anything are given up', () => {
  expect(after(...six({}))).toBe('prerequisite')
  expect(after(...six({}).slice(1))).toBeUndefined()
})

test('where no control URL may be opened, the reason says which line of the profile would allow it', () => {
  const breaker = createBreaker(slots)
  for (const one of six({ state: 'refused', unopened: 'add "control_hosts"' } as const)) breaker.heard([channel(one)])
  expect(breaker.unanswered()).toEqual({ code: 'prerequisite', reason: 'add "control_hosts"' })
})

test('one channel that speaks is reason enough to go on', () => {
  expect(after({ frames: [frame, { ...frame, data: { event_id: 'other' } }] }, ...six({}))).toBeUndefined()
})

test('floods are no speech', () => {
  expect(after({ frames: [frame], gave_up: true })).toBeUndefined()
  expect(after(...[1, 2].map(() => ({ frames: [frame], gave_up: true })))).toBe('prerequisite')
})

test('one and the same event is what a fixed answer says; another one is speech', () => {
  const event = (id: string) => ({ ...frame, data: { event_id: id } })
  expect(after(...six({ frames: [event('a'), event('a')] }))).toBe('prerequisite')
  expect(after({ frames: [event('a'), event('b')] }, ...six({}))).toBeUndefined()
})

test('one event over and over, with its id, is given up while channels are still open; anything else is waited for', () => {
  const heard = (frames: readonly object[]) => {
    const breaker = createBreaker(slots)
    for (const one of six({ frames: frames as Channel['frames'] }).map(channel)) breaker.unheard(one)
    return breaker.unanswered()?.code
  }
  const event = { ...frame, data: { event_id: 'a' } }
  expect(heard(six(event))).toBe('prerequisite')
  expect(heard(six(event).slice(2))).toBeUndefined()
  expect(heard(six({ ...frame, data: { type: 'keep.alive' } }))).toBeUndefined()
  expect(heard([...six(event), { ...frame, data: { event_id: 'b' } }])).toBeUndefined()
  expect(heard([])).toBeUndefined()
})

test('one channel with one event over and over is not enough, however often it is waited for; a second one is', () => {
  const breaker = createBreaker(slots)
  const parrot = () => channel({ frames: six({ ...frame, data: { event_id: 'a' } }) })
  const first = parrot()
  for (const one of six(first)) breaker.unheard(one)
  breaker.heard([first])
  expect(breaker.unanswered()).toBeUndefined()
  breaker.unheard(parrot())
  expect(breaker.unanswered()?.code).toBe('prerequisite')
})

test('frames that are no events are no speech', () => {
  expect(after(...six({ frames: [{ ...frame, type: undefined }] }))).toBe('prerequisite')
})

test('channels on which nothing was sent prove nothing', () => {
  expect(after(...six({ sent: 0 }))).toBeUndefined()
})

test('any reply breaks a silence, and what we cut off ourselves is none', () => {
  const breaker = createBreaker(slots)
  for (const answer of [silence(), silence(), silence(), silence(), envelope(30004), silence('too-large')])
    breaker.answered(answer)
  expect(breaker.silent()).toBeUndefined()
  for (const answer of six(silence('reset'))) breaker.answered(answer)
  expect(breaker.silent()?.code).toBe('network')
})

test('a target that has refused everything so far is given up, one that ever accepted something is not', () => {
  const operations = ['create-avatar-session', 'list-avatar-sessions', 'list-voices', 'create-character'] as const
  const refuseAll = (breaker: ReturnType<typeof createBreaker>, code: number) => {
    for (let count = 0; count < 30; count += 1) breaker.answered(envelope(code), operations[count % 4])
  }
  const hopeless = createBreaker(slots)
  refuseAll(hopeless, 30006)
  expect([hopeless.over()?.code, hopeless.silent()]).toEqual(['quota', undefined])
  const choosy = createBreaker(slots)
  choosy.answered(envelope(0), 'list-avatar-sessions')
  refuseAll(choosy, 30004)
  expect(choosy.over()).toBeUndefined()
})

test('a key that is limited for now says nothing about the target', () => {
  const breaker = createBreaker(slots)
  for (let count = 0; count < 99; count += 1) breaker.answered(envelope(10008), 'list-avatar-sessions')
  expect(breaker.over()).toBeUndefined()
})
