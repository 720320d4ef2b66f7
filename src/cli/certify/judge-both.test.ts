import { expect, test } from 'vitest'
import type { Carried } from '#certificate/file'
import { openCertificate } from '#certificate/open'
import { verifyCertificate } from '#certificate/verify'
import { resultsText } from '#judge/results-text'
import { smallCertificate } from '#testing/small-certificate'
import { parseTrace, type Trace } from '#trace/reader'
import { judgeBoth } from './judge-both.ts'

const first = 'run-1/trace.ndjson'
const second = 'run-2/trace.ndjson'

test('both runs are judged at once, the first not here, with the same results; what is no trace is left to who verifies', async () => {
  const small = await smallCertificate()
  const certificate = small.certify([small.recorded(small.traces[0]), small.recorded(small.traces[1])])
  const { carried } = openCertificate(certificate, small.key)
  const here: string[] = []
  const judge = (trace: Trace) => {
    here.push(trace.sha256)
    return small.options.judge(trace)
  }
  const both = await judgeBoth(carried, { ...small.options, judge }, 0)
  expect(here).toEqual([parseTrace(carried[second]).sha256])
  expect(verifyCertificate(certificate, both)).toEqual(verifyCertificate(certificate, small.options))
  expect(here).toHaveLength(1)
  const trace = parseTrace(carried[first])
  expect(resultsText(both.judge(trace))).toBe(resultsText(small.options.judge(trace)))
  const torn: Carried = { ...carried, [first]: Buffer.from('no trace\n'), [second]: Buffer.from('nor this\n') }
  const neither = await judgeBoth(torn, { ...small.options, judge }, 0)
  expect(here).toHaveLength(1)
  expect(neither.judge(trace)).toEqual(small.options.judge(trace))
  expect(here).toHaveLength(2)
})

test('short traces are not worth a thread: who verifies judges them', async () => {
  const small = await smallCertificate()
  const certificate = small.certify([small.recorded(small.traces[0]), small.recorded(small.traces[1])])
  const { carried } = openCertificate(certificate, small.key)
  expect(await judgeBoth(carried, small.options)).toBe(small.options)
})
