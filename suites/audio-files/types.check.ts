import type { Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, any, equals, oneOf, rejected } from '#trace/conditions'
import { fileRows } from './file.rules.ts'
import { fileOf, uploadKey } from './forms.ts'
import { type Kind, kinds, wavNames } from './kinds.ts'

/** Types are told by their names as media types (4.3), and not by what a file is called: as recorders and browsers call it. */
const oddNames: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'prise é 声'],
  ['audio/mp3', 'Take 2.MP3'],
  ['audio/webm', 'blob'],
])

/** Takes each type of the list, with a file that is what it is declared to be, and says what it detected. */
export const types: Scenario = {
  id: 'audio-files.types',
  needs: { abilities: ['audio_files'] },
  proves: [
    ...new Set(kinds.flatMap(({ accepted: taken, detected }) => [taken, detected])),
    'audio-files.file.mime-type-detected',
    ...fileRows,
  ],
  price: { requests: { primary: kinds.length + 4, other_workspace: kinds.length + 4 }, typical: kinds.length + 1 },
  async drive(context) {
    const twins = new Map<string, number>()
    for (const kind of kinds) {
      const filename = oddNames.get(kind.type)
      const sent = filename === undefined ? upload(context, kind) : oddlyNamed(context, kind, filename)
      twins.set(kind.type, await sent)
    }
    await mislabelled(context, twins.get('audio/wav') ?? 0)
  },
}

async function upload(context: Context, { type, medium, accepted: taken, detected, names }: Kind): Promise<number> {
  const exchange = context.exchange()
  context.claim(taken, accepted(exchange))
  context.claim(detected, equals(answer(exchange, '/data/mime_type'), oneOf(...names)))
  await context.call('upload-audio', { exchange, key: uploadKey(context), multipart: [fileOf(medium, type)] })
  return exchange
}

/** Refused under an odd name and taken under its own, an honest file is refused for nothing. */
async function oddlyNamed(context: Context, kind: Kind, filename: string): Promise<number> {
  const exchange = context.exchange()
  const multipart = [{ ...fileOf(kind.medium, kind.type), filename }]
  const { ok } = await context.call('upload-audio', { exchange, key: uploadKey(context), multipart })
  const plain = ok ? exchange : await upload(context, kind)
  context.claim(kind.accepted, accepted(exchange), { given: [accepted(plain)] })
  if (ok) context.claim(kind.detected, equals(answer(exchange, '/data/mime_type'), oneOf(...kind.names)))
  return plain
}

/** A file that is declared, and named, as another type of the list may be refused, or taken for what it is. */
async function mislabelled(context: Context, twin: number): Promise<void> {
  const exchange = context.exchange()
  const seenThrough = equals(answer(exchange, '/data/mime_type'), oneOf(...wavNames))
  context.claim('audio-files.file.mime-type-detected', any(rejected(exchange, twin), seenThrough))
  const multipart = [{ ...fileOf('speech.wav', 'audio/mpeg'), filename: 'speech.mp3' }]
  await context.call('upload-audio', { exchange, key: uploadKey(context), multipart })
}
