import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { parsed } from '#trace/json'
import type { Metrics, Night } from './night.ts'

export interface History {
  /** In the order of the file; of a run that stands there twice, the later line. */
  readonly nights: readonly Night[]
  /** How many lines could not be read: the last one, where a process was killed while it wrote. */
  readonly unreadable: number
}

/** @throws Error when the file exists and cannot be read */
export function readHistory(path: string): History {
  try {
    return parseHistory(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { nights: [], unreadable: 0 }
    throw error
  }
}

export function parseHistory(text: string): History {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map(nightIn)
  const nights = new Map<string, Night>()
  for (const night of read) {
    if (night === undefined) continue
    const key = `${night.run} ${night.scenario}`
    nights.delete(key)
    nights.set(key, night)
  }
  return { nights: [...nights.values()], unreadable: read.filter((night) => night === undefined).length }
}

/** Writes one line in one piece, on a line of its own even where the last one was cut. */
export function appendNight(path: string, night: Night): void {
  const file = openSync(path, 'a+')
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1, '\n')
    if (size > 0) readSync(file, last, 0, 1, size - 1)
    writeSync(file, `${last.toString() === '\n' ? '' : '\n'}${JSON.stringify(night)}\n`)
  } finally {
    closeSync(file)
  }
}

function nightIn(line: string): Night | undefined {
  const value = parsed(line)
  return isNight(value) ? value : undefined
}

const texts = ['night', 'run', 'scenario', 'workload', 'fingerprint'] as const

function isNight(value: unknown): value is Night {
  if (typeof value !== 'object' || value === null) return false
  const night = value as { readonly [field: string]: unknown }
  return (
    texts.every((field) => typeof night[field] === 'string') &&
    ['pass', 'fail', 'invalid'].includes(String(night['verdict'])) &&
    isMetrics(night['metrics'])
  )
}

function isMetrics(value: unknown): value is Metrics {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((one) => typeof one === 'number' && Number.isFinite(one))
}
