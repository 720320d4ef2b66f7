import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { importHar } from '../import/import-har.ts'
import { judgeRecording } from '../judge-recording.ts'
import { emptyPage, watchPage } from './watch-page.ts'
import { handMadeResults, row } from '#testing/hand-made-results'
import { newFolder } from '#testing/new-folder'

test('while traffic goes on, what held so far is said, not that the trace has no end', async () => {
  const folder = newFolder()
  const trace = join(folder, 'trace.ndjson')
  const file = join(packageRoot(), 'fixtures/har/session.har')
  await importHar({ file, profile: undefined, environment: {}, trace })
  const { results, mistakes } = await judgeRecording(trace)
  const going = { ...results, run: { ...results.run, outcome: 'truncated' as const } }
  const page = watchPage({ results: going, mistakes, base_url: 'https://a.example', lines: 9, held: 9, setAside: 0 })
  expect(page).toContain('nothing broken seen')
  expect(page).not.toContain('ends early')
  const [held = 0, unseen = 0, untestable = 0, all = 0] = [
    /Held<.*?<strong>([\d,]+)/s,
    /Not observed<.*?<strong>([\d,]+)/s,
    /([\d,]+) untestable/,
    /of ([\d,]+) requirements/,
  ].map((figure) => Number(figure.exec(page)?.[1]?.replace(',', '')))
  expect(held + unseen + untestable).toBe(all)
})

test('every link of the page leads to something on it', async () => {
  const rows = ['voices.a.one', 'voices.a.two', 'voices.a.three'].map((id) => row(id, 'fail'))
  const results = handMadeResults(rows)
  const mistakes = { total: 0, kinds: [], format: 'greenroom.client-mistakes/1' as const }
  const page = watchPage({ results, mistakes, base_url: 'https://a.example', lines: 9, held: 9, setAside: 0 })
  expect(page).toContain('2 requirements with the same cause')
  const places = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  expect(places.filter((id) => !page.includes(` id="${id}"`))).toEqual([])
})

test('what has passed and is not judged yet is not said to be nothing', () => {
  const base_url = 'https://target.example'
  expect(emptyPage({ base_url, passed: false })).toContain('Nothing has passed yet')
  expect(emptyPage({ base_url, passed: true })).toContain('is being judged')
})
