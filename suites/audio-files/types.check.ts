import { acceptance, type Expectation, outcome, rejection, together } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
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

const typed = (kind: Kind): Expectation<Kind['detected']> =>
  outcome(kind.detected, (exchange) => equals(answer(exchange, '/data/mime_type'), oneOf(...kind.names)))

/** @returns the exchange that took the file */
const takeKind = step(
  [...kinds.map((kind) => kind.accepted), ...kinds.map((kind) => kind.detected)],
  async (c, kind: Kind) => {
    const multipart = [fileOf(kind.medium, kind.type)]
    const expect = together(acceptance(kind.accepted), typed(kind))
    return (await c.call('upload-audio', { key: uploadKey(c), multipart, expect })).exchange
  },
)

/** Refused under an odd name and taken under its own, an honest file is refused for nothing. */
const takeOddlyNamed = step([takeKind], async (c, kind: Kind, filename: string) => {
  const multipart = [{ ...fileOf(kind.medium, kind.type), filename }]
  const { ok, exchange } = await c.call('upload-audio', { key: uploadKey(c), multipart })
  const plain = ok ? exchange : await takeKind(c, kind)
  c.expect(acceptance(kind.accepted, { given: [accepted(plain)] }), exchange)
  if (ok) c.expect(typed(kind), exchange)
  return plain
})

const detection = 'audio-files.file.mime-type-detected'

/** A file that is declared, and named, as another type of the list may be refused, or taken for what it is. */
const takeMislabelled = step([detection], async (c, control: number) => {
  const seenThrough = (exchange: number) => equals(answer(exchange, '/data/mime_type'), oneOf(...wavNames))
  const multipart = [{ ...fileOf('speech.wav', 'audio/mpeg'), filename: 'speech.mp3' }]
  const expect = outcome(detection, (exchange) => any(rejected(exchange, control), seenThrough(exchange)))
  await c.call('upload-audio', { key: uploadKey(c), multipart, expect })
})

/** An MPEG program stream of one empty pack; unlike other films it begins like no sound. */
const film = Buffer.from('000001ba4400040004010189c3f8000001b9', 'hex')

const filmed = 'audio-files.upload.video-rejected'

/** Films hold sound, too, and their types are not in the list. */
const refuseFilm = step([filmed], async (c, control: number) => {
  const multipart = [{ name: 'file', filename: 'film.mpg', content_type: 'video/mpeg', data: film }]
  await c.call('upload-audio', { key: uploadKey(c), multipart, expect: rejection({ rows: filmed, control }) })
})

/** Takes each type of the list, with a file that is what it is declared to be, and says what it detected. */
export const types = scenario({
  id: 'audio-files.types',
  needs: { abilities: ['audio_files'] },
  steps: [takeKind, takeOddlyNamed, takeMislabelled, refuseFilm],
  observes: fileRows,
  price: { requests: { primary: kinds.length + 5, other_workspace: kinds.length + 5 }, typical: kinds.length + 2 },
  async drive(c) {
    const taken = new Map<string, number>()
    for (const kind of kinds) {
      const filename = oddNames.get(kind.type)
      taken.set(kind.type, await (filename === undefined ? takeKind(c, kind) : takeOddlyNamed(c, kind, filename)))
    }
    await takeMislabelled(c, taken.get('audio/wav') ?? 0)
    await refuseFilm(c, taken.get('audio/wav') ?? 0)
  },
})
