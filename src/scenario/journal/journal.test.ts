import { spawn } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deadJournals, readJournal } from './journal-state.ts'
import { beginJournal, joinJournal, journalFolder, JournalBusy } from './journal.ts'
import type { ProcessMark } from './process-mark.ts'
import { isAlive, ownMark } from './process-mark.ts'
import { newFolder } from '#testing/new-folder'

const begin = { run: 'r1', base_url: 'https://target.example', keys: { primary: 'KEY' } }
const session = { resource: 'avatar-session', operation: 'create-avatar-session', key: 'primary' } as const

const folder = () => newFolder()

/** A journal whose process is gone: the number lives on, the start does not fit. */
function deadJournal(file: string, ...lines: readonly object[]): void {
  const process_ = { pid: process.pid, start: 'before the last boot' }
  const all = [{ kind: 'begin', process: process_, ...begin }, ...lines]
  writeFileSync(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

test('what was made and not ended is open', () => {
  const file = join(folder(), 'a.journal')
  const journal = beginJournal(file, begin)
  const [first, second, refused] = [journal.intend(session), journal.intend(session), journal.intend(session)]
  first.created('s1')
  second.created('s2')
  refused.none()
  journal.ended('avatar-session', 's1')
  expect(readJournal(file)).toMatchObject({
    open: [{ resource: 'avatar-session', id: 's2', key: 'primary' }],
    lost: [],
  })
})

test('a create without an answer is lost, unless its key brought the session by another', () => {
  const file = join(folder(), 'a.journal')
  const journal = beginJournal(file, begin)
  journal.intend({ ...session, idempotency_key: 'k1', body: { model: 'm' } })
  journal.intend({ ...session, idempotency_key: 'k2', body: { model: 'm' } })
  journal.intend({ ...session, idempotency_key: 'k2', body: { model: 'm' } }).created('s')
  expect(readJournal(file)?.lost.map(({ idempotency_key }) => idempotency_key)).toEqual(['k1'])
})

test('voices and audio files are undeletable, not open', () => {
  const file = join(folder(), 'a.journal')
  beginJournal(file, begin).intend({ resource: 'voice', operation: 'clone-voice', key: 'primary' }).created('voice_1')
  expect(readJournal(file)).toMatchObject({ open: [], undeletable: [{ resource: 'voice', id: 'voice_1' }] })
})

test('a journal holds no credential and is readable by its owner only', () => {
  const file = join(folder(), 'state', 'a.journal')
  const body = {
    pipeline_config: { tts_config: { tts_voice_id: 'v', tts_api_key: 'hush' }, llm_config: { llm_api_key: 'hush' } },
  }
  beginJournal(file, begin).intend({ ...session, body })
  expect(readFileSync(file, 'utf8')).not.toContain('hush')
  expect(readFileSync(file, 'utf8')).toContain('tts_voice_id')
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('a line cut short by a kill is left out', () => {
  const file = join(folder(), 'a.journal')
  beginJournal(file, begin).intend(session).created('s1')
  appendFileSync(file, '{"kind":"ended","resource":"avatar-se')
  expect(readJournal(file)?.open).toHaveLength(1)
})

test('a live run keeps its journal, a dead one is set aside', () => {
  const file = join(folder(), 'a.journal')
  deadJournal(file)
  beginJournal(file, { ...begin, run: 'r2' })
  expect(readJournal(`${file}.r1`)?.begin.run).toBe('r1')
  expect(() => beginJournal(file, begin)).toThrow(JournalBusy)
})

test('a file that is no journal is not overwritten', () => {
  const file = join(folder(), 'notes.txt')
  writeFileSync(file, 'mine')
  expect(() => beginJournal(file, begin)).toThrow(/is no journal/)
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('dead journals are found by target; live ones and other targets are left alone', () => {
  const place = folder()
  deadJournal(join(place, 'dead.journal'))
  deadJournal(join(place, 'other.journal'))
  writeFileSync(
    join(place, 'other.journal'),
    readFileSync(join(place, 'other.journal'), 'utf8').replace('target', 'other'),
  )
  beginJournal(join(place, 'live.journal'), begin)
  expect(deadJournals({ folder: place }, begin.base_url).map(({ file }) => file)).toEqual([join(place, 'dead.journal')])
  expect(deadJournals({ folder: place })).toHaveLength(2)
  expect(deadJournals({ folder: join(place, 'none') })).toEqual([])
})

test('a journal that goes while journals are listed is none', () => {
  const place = folder()
  symlinkSync(join(place, 'removed'), join(place, 'ended.journal'))
  expect(deadJournals({ folder: place })).toEqual([])
})

test('a journal lives as long as any process that writes to it', () => {
  const place = folder()
  const file = join(place, 'dead.journal')
  deadJournal(file)
  joinJournal(file)
  expect(deadJournals({ folder: place })).toEqual([])
})

test('what is said after a journal was closed is written nowhere, and closes nothing', () => {
  const place = folder()
  const journal = beginJournal(join(place, 'a.journal'), begin)
  const [late, lost] = [journal.intend(session), journal.intend(session)]
  journal.close()
  // It gets the number of the journal.
  const other = openSync(join(place, 'other'), 'w')
  late.created('s1')
  lost.none()
  journal.ended('avatar-session', 's1')
  journal.end([])
  journal.close()
  expect(() => journal.intend(session)).toThrow('the journal is closed')
  writeSync(other, 'mine')
  closeSync(other)
  expect(readFileSync(join(place, 'other'), 'utf8')).toBe('mine')
})

test('a recycled process number is not mistaken for the run', async () => {
  const own = ownMark()
  expect(isAlive(own)).toBe(true)
  expect(isAlive({ ...own, start: 'another boot:1' })).toBe(false)
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  expect(isAlive({ pid: child.pid } as ProcessMark)).toBe(false)
})

test('the folder follows XDG_STATE_HOME', () => {
  expect(journalFolder({ XDG_STATE_HOME: '/state' })).toBe(join('/state', 'greenroom'))
  expect(journalFolder({})).toMatch(/greenroom$/)
})
