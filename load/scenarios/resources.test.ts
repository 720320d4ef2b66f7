import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Override } from '#target/behaviour/behaviour'
import { type RunningTarget, startTarget, type TargetOptions } from '#target/start'
import { VARIATIONS } from '#target/variations/variations'
import { fetchMachine } from '#testing/limiter/fetch-machine'
import { tallyFor } from '../core/common-measures.ts'
import type { LawCount } from '../core/limits/law-measures.ts'
import type { Law } from '../core/limits/laws.ts'
import { capacityBackoff } from './capacity-backoff.ts'
import { charactersPaging } from './characters-paging.ts'
import type { Scenario } from './scenario.ts'
import { uploads } from './uploads.ts'
import { worldSessions } from './world-sessions.ts'
import { workloads } from '../workloads.ts'

const words = { serverEvents: [], errorCodes: [] }

const targets: RunningTarget[] = []

afterAll(async () => {
  await Promise.all(targets.map((target) => target.stop()))
})

interface Ran {
  readonly broken: readonly string[]
  readonly held: readonly string[]
  readonly left: ReturnType<RunningTarget['left']>
}

/** One iteration against a reference target. */
async function run<Count extends string, Time extends string>(
  scenario: Scenario<Count | LawCount, Time>,
  options: TargetOptions,
): Promise<Ran> {
  const target = await startTarget({ tls: false, ...options })
  targets.push(target)
  const { base_url, keys } = target
  const machine = fetchMachine(scenario, { base_url, secret: keys.primary, name: 'iteration' })
  await scenario.iterate(machine)
  const named = (count: LawCount): string[] =>
    [...machine.tally.counts(count)].filter(([, times]) => times > 0).map(([law]) => law)
  return { broken: named('laws_broken'), held: named('laws_held'), left: target.left() }
}

const nothing = { sessions: [], worlds: [], characters: [] }

const scenarios = { uploads, 'characters-paging': charactersPaging, 'world-sessions': worldSessions } as const
type Name = keyof typeof scenarios

const drive = (name: Name, options: TargetOptions): Promise<Ran> =>
  run(scenarios[name] as unknown as Scenario<LawCount, never>, options)

/** Variations that concern what the scenarios do. */
const variations: { readonly [name in Name]: RegExp } = {
  uploads: /^(?:files-|samples-)/,
  'characters-paging': /^character-/,
  'world-sessions': /^world-/,
}

test.concurrent.each<[Name, Law]>([
  ['uploads', 'file-size-wrong'],
  ['characters-paging', 'page-item-missing'],
  ['world-sessions', 'world-not-closed'],
])('%s leaves a correct target alone, and nothing behind', async (name, law) => {
  const { broken, held, left } = await drive(name, {})
  expect(broken).toEqual([])
  expect(held).toContain(law)
  expect(left).toEqual(nothing)
})

test.concurrent.each(
  Object.entries(variations).flatMap(([name, pattern]) =>
    VARIATIONS.filter(({ id }) => pattern.test(id)).map(({ id }): [Name, string] => [name as Name, id]),
  ),
)('%s leaves the variation %s alone', async (name, variation) => {
  const { broken, left } = await drive(name, { variations: [variation] })
  expect(broken).toEqual([])
  expect(left).toEqual(nothing)
})

test.concurrent('a list that shows deleted characters for a moment is left alone', async () => {
  const goneAt = new Map<object, number>()
  const override: Override = ({ characters }) => {
    characters.list.lists = (character) => {
      if (!character.deleted) return true
      const at = goneAt.get(character) ?? performance.now()
      goneAt.set(character, at)
      return performance.now() - at < 800
    }
  }
  expect((await drive('characters-paging', { override })).broken).toEqual([])
})

/** What eight walks side by side find broken. */
async function walkTogether(options: TargetOptions): Promise<readonly string[]> {
  const target = await startTarget({ tls: false, ...options })
  targets.push(target)
  const { base_url, keys } = target
  const machines = Array.from({ length: 8 }, (_, index) =>
    fetchMachine(charactersPaging, { base_url, secret: keys.primary, name: `walk${index}` }),
  )
  await Promise.all(machines.map((machine) => charactersPaging.iterate(machine)))
  const all = machines.flatMap((machine) => [...machine.tally.counts('laws_broken')])
  return [...new Set(all.filter(([, times]) => times > 0).map(([law]) => law))]
}

test.concurrent('a token may be refused where what it stands on is gone, and only there', async () => {
  expect(await walkTogether({ variations: ['character-page-tokens-outdated'] })).toEqual([])
  let tokens = 0
  const atTimes: Override = ({ characters: { list } }) => {
    const { placeOf } = list
    list.placeOf = (given) => ((tokens += 1) % 5 === 3 ? placeOf(given) : undefined)
  }
  expect((await drive('characters-paging', { override: atTimes })).broken).toEqual(['page-token-refused'])
})

test.concurrent.each<[Name, string, Law]>([
  ['uploads', 'audio-files.file.size-bytes-exact', 'file-size-wrong'],
  ['uploads', 'audio-files.file.size-bytes-exact~data', 'file-size-wrong'],
  ['uploads', 'audio-files.file.mime-type-wav', 'file-type-wrong'],
  ['uploads', 'audio-files.file.id-shaped', 'file-id-shape'],
  ['uploads', 'audio-files.file.ids-distinct', 'file-ids-shared'],
  ['uploads', 'audio-files.upload.wav-accepted', 'upload-refused'],
  ['uploads', 'audio-files.file.type-audio', 'file-kind-wrong'],
  ['uploads', 'audio-files.file.url-string', 'file-url-missing'],
  ['uploads', 'audio-files.file.url-absolute', 'file-url-relative'],
  ['uploads', 'audio-files.file.created-at-timestamp', 'file-time-wrong'],
  ['characters-paging', 'characters.list.item-name', 'page-item-name'],
  ['characters-paging', 'characters.list.item-model', 'page-item-model'],
  ['characters-paging', 'characters.list.item-timestamps-agree', 'page-item-time'],
  ['characters-paging', 'characters.list.shows-all', 'page-item-missing'],
  ['characters-paging', 'characters.list.hides-deleted', 'page-shows-deleted'],
  ['characters-paging', 'characters.list.newest-first', 'page-order'],
  ['characters-paging', 'characters.list.page-size-bounds', 'page-too-long'],
  ['characters-paging', 'characters.list.each-once', 'page-item-twice'],
  ['characters-paging', 'characters.list.stable-under-creates', 'page-item-twice'],
  ['characters-paging', 'characters.list.ends', 'page-without-end'],
  ['characters-paging', 'characters.list.accepted~next-page', 'page-token-refused'],
  ['world-sessions', 'world-sessions.get.no-client-secret', 'world-secret-shown'],
  ['world-sessions', 'world-sessions.idempotency.retry-same-session', 'world-duplicate'],
  ['world-sessions', 'world-sessions.idempotency.concurrent-one-session', 'world-duplicate-in-flight'],
  ['world-sessions', 'world-sessions.client-secret.control-secret-fresh', 'world-secret-stale'],
  ['world-sessions', 'world-sessions.client-secret.media-secret-fresh', 'world-media-secret-stale'],
  ['world-sessions', 'world-sessions.client-secret.accepted', 'world-secret-refused'],
  ['world-sessions', 'world-sessions.client-secret.control-secret', 'world-secret-missing'],
  ['world-sessions', 'world-sessions.client-secret.media-secret', 'world-media-secret-missing'],
  ['world-sessions', 'world-sessions.idempotency.other-key-other-session', 'world-key-shared'],
  ['world-sessions', 'world-sessions.get.names-session', 'world-get-of-another'],
  ['world-sessions', 'world-sessions.client-secret.names-session~previous', 'world-secrets-of-another'],
  ['world-sessions', 'world-sessions.control.secret-session-scoped~pairs', 'world-secret-shared'],
  ['world-sessions', 'world-sessions.close.repeated-same-key~conflict', 'world-close-not-repeatable'],
])('%s finds that the target has the mistake %s', async (name, defect, law) => {
  const { broken } = await drive(name, { defects: [defect] })
  expect(broken).toContain(law)
})

test('a character that comes twice on one walk, and once on the next, is found: a list that is behind shows none twice', async () => {
  let walks = 0
  const override: Override = ({ characters: { list } }) => {
    const { following, size } = list
    list.size = (given, sizes) => {
      if (given !== '200') return size(given, sizes)
      walks += 1
      return size(given, sizes)
    }
    list.following = (sorted, place) =>
      walks > 0 ? following(sorted, place) : sorted.filter(({ serial }) => serial <= place)
  }
  expect((await drive('characters-paging', { override })).broken).toEqual(['page-item-twice'])
})

test('what two world sessions have mixed up is found', async () => {
  const swapped = (field: string, shown: 'got' | 'secrets' | 'closed'): Override => {
    let before: unknown
    return ({ world: { views } }) => {
      const right = views[shown][field]
      views[shown][field] = (scene) => {
        const one = right?.(scene)
        const other = before ?? one
        before = one
        return other
      }
    }
  }
  const broken = async (override: Override): Promise<readonly string[]> =>
    (await drive('world-sessions', { override })).broken
  expect(await broken(swapped('metadata', 'got'))).toEqual(['world-metadata-of-another'])
  expect(await broken(swapped('session_id', 'closed'))).toContain('world-close-of-another')
  expect(await broken(swapped('media', 'secrets'))).toContain('world-media-secret-shared')
})

test('world sessions that are over as soon as another one is closed are told, and others that end by themselves are not', async () => {
  const tally = tallyFor(worldSessions.measures(words), words)
  const target = await startTarget({ tls: false, defects: ['world-sessions.close.leaves-others-open'] })
  targets.push(target)
  const { base_url, keys } = target
  for (const name of ['one', 'two'])
    await worldSessions.iterate({ ...fetchMachine(worldSessions, { base_url, secret: keys.primary, name }), tally })
  const facts = { workloadName: 'smoke', workload: workloads.smoke, keys: [], iterations: 2, dropped: 0 } as const
  const rows = (): unknown[] =>
    worldSessions.judge(tally, { ...facts, scenarios: 1 }).broken.map(({ requirement }) => requirement)
  expect(rows()).toEqual(['world-sessions.close.leaves-others-open'])
  tally.count('worlds', 'ended', 1)
  expect(rows()).toEqual([])
})

test('a platform that never lacks capacity says nothing about it, which is no reason to throw a mix away', () => {
  const tally = tallyFor(capacityBackoff.measures(words), words)
  const facts = { workloadName: 'smoke', workload: workloads.smoke, keys: [], iterations: 1, dropped: 0 } as const
  expect(capacityBackoff.judge(tally, { ...facts, scenarios: 1 }).invalid).toHaveLength(1)
  expect(capacityBackoff.judge(tally, { ...facts, scenarios: 2 }).invalid).toEqual([])
})

test('a platform on which capacity never comes back, or on which there is no place, says nothing of how it bears load', () => {
  const tally = tallyFor(capacityBackoff.measures(words), words)
  const facts = { workloadName: 'smoke', workload: workloads.smoke, keys: [], iterations: 1, dropped: 0 } as const
  const said = (): string => {
    const { invalid } = capacityBackoff.judge(tally, { ...facts, scenarios: 1 })
    return invalid.map(({ text }) => text).join()
  }
  tally.count('laws_held', 'capacity-wrong-status')
  tally.count('creates', 'given-up', 5)
  expect(said()).toContain('capacity never came back')
  tally.count('creates', 'after-back-off', 5)
  expect(said()).toBe('')
  tally.count('creates', 'full', 2)
  expect(said()).toContain('2 of 12 creates were refused for want of a place')
})

test('creates that are called wrong beside others that are taken are told, and so are uploads that are refused', () => {
  const facts = { workloadName: 'smoke', workload: workloads.smoke, keys: [], iterations: 1, dropped: 0 } as const
  const creates = tallyFor(capacityBackoff.measures(words), words)
  creates.count('laws_held', 'capacity-wrong-status')
  creates.count('fared', 'primary taken', 20)
  creates.count('fared', 'other_workspace wrong', 10)
  expect(capacityBackoff.judge(creates, { ...facts, scenarios: 1 }).trouble).toEqual([])
  creates.count('fared', 'primary wrong', 10)
  expect(capacityBackoff.judge(creates, { ...facts, scenarios: 1 }).trouble).toHaveLength(1)
  const files = tallyFor(uploads.measures(words), words)
  files.count('laws_held', 'upload-refused')
  files.count('uploads', 'accepted', 20)
  expect(uploads.judge(files, { ...facts, scenarios: 1 }).invalid).toEqual([])
  files.count('uploads', 'unserved', 10)
  expect(uploads.judge(files, { ...facts, scenarios: 1 }).invalid).toEqual([])
  files.count('uploads', 'refused', 10)
  expect(uploads.judge(files, { ...facts, scenarios: 1 }).invalid).toHaveLength(1)
})

test.each([
  ['20003', 'upload-refused'],
  ['30004', 'upload-refused'],
  // Section 7 lists no such code: it may say that the workspace can store no more.
  ['20011', undefined],
  ['20099', undefined],
  ['10005', undefined],
])('an honest file that is refused with %s breaks %s', async (code, law) => {
  const tally = tallyFor(uploads.measures(words), words)
  const answer = {
    status: 400,
    code,
    data: {},
    retryAfter: undefined,
    date: undefined,
    sentAt: 0,
    answeredAt: 5,
    ms: 5,
  }
  const machine = { tally, name: 'u', random: () => 0.9, now: () => 0, request: () => Promise.resolve(answer) }
  await uploads.iterate(machine as never)
  expect([...tally.counts('laws_broken').keys()]).toEqual(law === undefined ? [] : [law])
})

test('no two files have the same bytes, whatever numbers are drawn: a service may give these the same id', async () => {
  const sent: string[] = []
  const request = ({ file }: { readonly file: { readonly bytes: ArrayBuffer } }): Promise<unknown> => {
    sent.push(createHash('sha256').update(new Uint8Array(file.bytes)).digest('hex'))
    return Promise.resolve({ status: 400, code: '20099', data: {}, sentAt: 0, answeredAt: 5, ms: 5 })
  }
  for (const name of ['run-1-1', 'run-1-2']) {
    const tally = tallyFor(uploads.measures(words), words)
    await uploads.iterate({ tally, name, random: () => 0.4, now: () => 0, request } as never)
  }
  expect(new Set(sent).size).toBe(4)
})

test('sizes that are rounded and ids that are made of the time are found', async () => {
  const rounded = await drive('uploads', {
    override: ({ files }) => (files.shown.size_bytes = ({ bytes }) => Math.round(bytes / 1_000) * 1_000),
  })
  expect(rounded.broken).toEqual(['file-size-wrong'])
  const timed = await drive('uploads', {
    override: ({ files }) => (files.id = () => `file_aud_${Math.floor(Date.now() / 1_000)}`),
  })
  expect(timed.broken).toEqual(['file-ids-shared'])
})
