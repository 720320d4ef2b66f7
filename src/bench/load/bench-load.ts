import { findK6 } from '#load/k6/binary'
import { writeBundle } from '#load/k6/bundle'
import { inFolder } from '#testing/new-folder'
import { cost } from './parts/cost.ts'
import { latency } from './parts/latency.ts'
import { memory } from './parts/memory.ts'
import { merged } from './parts/merged.ts'
import { nights } from './parts/nights.ts'
import { retried } from './parts/retries.ts'
import { segments } from './parts/segments.ts'
import { throttled } from './parts/throttled.ts'
import type { Rig } from './rig.ts'
import { readOptions } from '../command-line.ts'

// What the load library costs beside a bare k6 script, how true its numbers are, and whether processes add up:
// npm run bench:load [-- --pairs 5 --only PART]. Medians with their range.

const withoutK6 = { retries: retried, merged, nights }
const withK6 = { cost, memory, latency, segments, throttled }

const usage = 'npm run bench:load [-- --pairs 5 --only <part>]'
const values = readOptions(usage, { pairs: { type: 'string', default: '5' }, only: { type: 'string' } })
const wanted = (name: string): boolean => values.only === undefined || values.only === name
const names = [...Object.keys(withoutK6), ...Object.keys(withK6)]
if (!names.some(wanted)) throw new Error(`--only is one of ${names.join(', ')}`)

for (const [name, part] of Object.entries(withoutK6)) if (wanted(name)) part()
if (Object.keys(withK6).some(wanted)) {
  const found = findK6()
  if ('why' in found) throw new Error(found.why)
  await inFolder(async (folder) => {
    const library = await writeBundle('control-throughput', folder)
    const rig: Rig = { k6: found.path, library, pairs: Number(values.pairs) }
    for (const [name, part] of Object.entries(withK6)) if (wanted(name)) await part(rig)
  })
}
