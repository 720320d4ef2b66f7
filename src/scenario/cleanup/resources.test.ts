import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envelope, fakeService } from '#testing/fake-service'
import { textAt } from '#trace/json'
import { Blocked } from '../author/blocked.ts'
import { beginJournal } from '../journal/journal.ts'
import { createSlots } from '../runner/slots.ts'
import { createLeftovers } from './leftovers.ts'
import { trackResources } from './resources.ts'
import { newFolder } from '#testing/new-folder'

/** Sessions whose close is answered, and which Get shows as active after it. */
async function closeInVain(count: number, lag_ms: number) {
  const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } }
  const file = join(newFolder(), 'a.journal')
  const journal = beginJournal(file, { run: 'r1', base_url: profile.base_url, keys: profile.keys })
  const service = fakeService()
  const scope = service.scope()
  const rest: typeof scope.rest = (...call) => scope.rest(...call)
  const resources = trackResources({ journal, slots: createSlots(profile), leftovers: createLeftovers(), lag_ms })
  let status = 'active'
  const ids: string[] = []
  const look = (session_id: string) => resources.send('get-avatar-session', { params: { session_id } }, rest)
  service.intercept = (operation) => {
    if (operation === 'close-avatar-session') return envelope(0, {})
    return operation === 'get-avatar-session' ? envelope(0, { status }) : undefined
  }
  for (let place = 0; place < count; place += 1) {
    const made = await resources.send('create-avatar-session', { body: { idempotency_key: `k-${place}` } }, rest)
    const session_id = textAt(made.data, '/session_id') ?? ''
    ids.push(session_id)
    await resources.send('close-avatar-session', { params: { session_id } }, rest)
    await look(session_id)
  }
  return {
    another: () => resources.send('create-avatar-session', { body: {} }, rest),
    /** The first is shown as closed after all. */
    endFirst: async () => {
      status = 'closed'
      await look(ids[0] ?? '')
    },
  }
}

test('what is shown as open after its end once reads have caught up could not be ended: after three no more is made', async () => {
  const { another } = await closeInVain(3, -1)
  await expect(another()).rejects.toThrow(Blocked)
})

test('within the time that reads may lag it means nothing', async () => {
  const { another } = await closeInVain(5, 60_000)
  expect(await another()).toMatchObject({ ok: true })
})

test('what is shown as closed after all counts no more', async () => {
  const { another, endFirst } = await closeInVain(3, -1)
  await endFirst()
  expect(await another()).toMatchObject({ ok: true })
})
