import { expect, test } from 'vitest'
import { SharedIds } from './shared-ids.ts'

/** What creates were given: their names, their idempotency keys and the keys that they spent from. */
type Given = readonly [resource: string, id: string, idempotencyKey: string | undefined, key?: string]

function idsOf(all: readonly Given[], ended: readonly string[] = []): SharedIds {
  const ids = new SharedIds()
  for (const [place, [resource, id, idempotency_key, key = 'primary']] of all.entries()) {
    const create = `create ${place}`
    ids.take({
      kind: 'create',
      create,
      intent: { resource, key, ...(idempotency_key === undefined ? {} : { idempotency_key }) },
    })
    ids.take({ kind: 'created', create, id })
    if (ended.includes(create)) ids.take({ kind: 'ended', resource, id })
  }
  return ids
}

test('files of two users with one id are found, whoever asked for them', () => {
  const given: readonly Given[] = [
    ['audio-file', 'f1', undefined],
    ['audio-file', 'f2', undefined],
    ['audio-file', 'f1', undefined, 'same_workspace'],
  ]
  expect(idsOf(given).findings()).toEqual([
    {
      text: '1 audio file was given an id that another one of other bytes has',
      requirement: 'audio-files.file.ids-distinct',
    },
  ])
})

test('a create that is repeated with its idempotency key is given the same session', () => {
  const repeated: readonly Given[] = [
    ['avatar-session', 's1', 'k1'],
    ['avatar-session', 's1', 'k1'],
  ]
  expect(idsOf(repeated).findings()).toEqual([])
  const [finding] = idsOf([...repeated, ['avatar-session', 's1', 'k2']]).findings()
  expect(finding?.requirement).toBe('avatar-sessions.idempotency.other-key-other-session')
})

test('what has ended may leave its id to another, each workspace may count for itself, and kinds have ids of their own', () => {
  const one: Given = ['character', 'c1', undefined]
  expect(idsOf([one, one], ['create 0']).findings()).toEqual([])
  expect(idsOf([one, ['character', 'c1', undefined, 'other_workspace']]).findings()).toEqual([])
  expect(idsOf([one, ['character', 'c1', undefined, 'capped']]).findings()).toEqual([])
  expect(idsOf([one, ['audio-file', 'c1', undefined]]).findings()).toEqual([])
  expect(idsOf([one, one]).findings()).toEqual([{ text: '1 character was given the id of another one that is there' }])
})

test('a create that made nothing has no id', () => {
  const ids = new SharedIds()
  ids.take({ kind: 'create', create: 'c', intent: { resource: 'audio-file', key: 'primary' } })
  ids.take({ kind: 'none', create: 'c' })
  ids.take({ kind: 'created', create: 'c', id: 'f1' })
  ids.take({ kind: 'created', create: 'unknown', id: 'f1' })
  expect(ids.findings()).toEqual([])
})
