import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '../trace-index.ts'
import { toolsFirstSent } from './tools-sent.ts'

const withTools = (...names: readonly string[]) => ({
  conversation: { tools: names.map((name) => ({ type: 'function', name })) },
})
const answer = { body: { code: 0, message: 'ok', data: {} } }

test('a tool is known from the first create or save of its workspace that names it', () => {
  const trace = new TraceBuilder()
  const send = (key: string, ...names: readonly string[]) => {
    trace.rest('create-avatar-session', answer, withTools(...names), key)
    return trace.entries.length - 1
  }
  const first = send('primary', 'locate')
  const second = send('primary', 'locate', 'time')
  const elsewhere = send('other_workspace', 'time')
  const index = indexTrace(trace.entries)
  expect([...toolsFirstSent(index, 'primary')]).toEqual([
    ['locate', first],
    ['time', second],
  ])
  expect([...toolsFirstSent(index, 'other_workspace')]).toEqual([['time', elsewhere]])
  expect([...toolsFirstSent(index, 'nobody')]).toEqual([])
})
