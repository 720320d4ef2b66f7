import { expect, test } from 'vitest'
import { world } from '#scenario/author/bodies'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { ownMetadata } from './own-metadata.rules.ts'

const row = 'world-sessions.metadata.own-only'

/** One session after the other: what each was created with, and what it showed. */
function said(...sessions: readonly (readonly [sent: JsonObject, shown: JsonObject])[]): readonly string[] {
  const trace = new TraceBuilder()
  for (const [place, [sent, metadata]] of sessions.entries()) {
    const data = { session_id: `ws_${place}`, status: 'active', metadata }
    trace.rest('create-world-session', { body: { code: 0, message: 'ok', data } }, { ...world(), ...sent })
  }
  for (const [place, entry] of trace.entries.entries())
    if (entry.kind === 'request') trace.entries[place] = { ...entry, scenario: 'world-sessions.create' }
  return [...saidOf([ownMetadata], trace)]
}

const beach = { metadata: { scene: 'beach', note: '' } }

test('a session that shows what only an earlier one was created with breaks the row', () => {
  expect(said([beach, beach.metadata], [{}, beach.metadata])).toEqual([`broken ${row}`])
  expect(said([beach, beach.metadata], [{ metadata: { take: '7' } }, { take: '7', scene: 'beach' }])).toEqual([
    `broken ${row}`,
  ])
})

test('its own metadata, others of the service and empty values are none of another session', () => {
  expect(said([beach, beach.metadata], [{}, {}])).toEqual([`held ${row}`])
  expect(said([beach, beach.metadata], [{}, { region: 'eu', note: '' }])).toEqual([`held ${row}`])
  expect(said([beach, beach.metadata], [beach, beach.metadata])).toEqual([])
  expect(said([{}, beach.metadata], [beach, beach.metadata])).toEqual([])
})
