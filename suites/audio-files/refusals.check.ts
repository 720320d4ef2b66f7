import type { RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { asciiWav } from '#media/ascii-wav'
import { medium } from '#media/media'
import { pickKey } from '#scenario/author/pick-key'
import { acceptance, type Refusal, rejection, rowsOfRefusals } from '#scenario/author/expectation'
import { optionalRefusals, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { isMishap } from '#spec/tables'
import { accepted, any } from '#trace/conditions'
import { fileOf, honest } from './forms.ts'

/** Something that Upload Audio refuses. */
interface Refused extends Refusal<RequirementId> {
  readonly call: () => RestCall
}

const boundary = 'greenroom-boundary'
const form = `multipart/form-data; boundary=${boundary}`

/** A form as text, without what closes it. */
function openForm(): string {
  const head = `Content-Disposition: form-data; name="file"; filename="tone.wav"\r\nContent-Type: audio/wav\r\n\r\n`
  return `--${boundary}\r\n${head}${asciiWav()}`
}

const refusals = [
  {
    coded: 'audio-files.code-20008.image',
    codes: [20008],
    rows: 'audio-files.upload.image-rejected',
    call: () => ({ multipart: [fileOf('pixel.png', 'image/png')] }),
  },
  {
    coded: 'audio-files.code-20008.unlisted-audio',
    codes: [20008],
    rows: 'audio-files.upload.unlisted-audio-rejected',
    call: () => ({ multipart: [fileOf('silence.aiff', 'audio/aiff')] }),
  },
  {
    rows: 'audio-files.upload.text-rejected',
    call: () => ({
      multipart: [{ name: 'file', filename: 'words.txt', content_type: 'text/plain', data: 'These are words.' }],
    }),
  },
  {
    coded: 'audio-files.code-20006.empty-file',
    codes: [20006],
    call: () => ({ multipart: [fileOf('empty.wav', 'audio/wav')] }),
  },
  {
    coded: 'audio-files.code-20006.empty-file',
    codes: [20006],
    call: () => ({ multipart: [{ ...fileOf('empty.wav', 'audio/mpeg'), filename: 'empty.mp3' }] }),
  },
  {
    coded: 'audio-files.code-20010.other-field-name',
    codes: [20010],
    call: () => ({ multipart: [{ ...fileOf('speech.wav', 'audio/wav'), name: 'files' }] }),
  },
  {
    coded: 'audio-files.code-20010.other-field-name',
    codes: [20010],
    call: () => ({ multipart: [{ ...fileOf('speech.wav', 'audio/wav'), name: 'audio' }] }),
  },
  {
    // Names of fields are told apart by their capitals as well.
    coded: 'audio-files.code-20010.other-field-name',
    codes: [20010],
    call: () => ({ multipart: [{ ...fileOf('speech.wav', 'audio/wav'), name: 'File' }] }),
  },
  {
    coded: 'audio-files.code-20010.text-field-only',
    codes: [20010],
    call: () => ({ multipart: [{ name: 'title', data: 'A voice' }] }),
  },
  {
    coded: 'audio-files.code-20009.no-boundary',
    codes: [20009],
    call: () => ({ text: `${openForm()}\r\n--${boundary}--\r\n`, content_type: 'multipart/form-data' }),
  },
  {
    coded: 'audio-files.code-20009.not-a-form',
    codes: [20009, 20010],
    call: () => ({ text: 'This is no form.', content_type: form }),
  },
  {
    // Between the right lines stands no part.
    coded: 'audio-files.code-20009.not-a-form',
    codes: [20009, 20010],
    call: () => ({ text: `--${boundary}\r\nThis is no form.\r\n--${boundary}--\r\n`, content_type: form }),
  },
  {
    coded: 'audio-files.code-20009.cut-short',
    codes: [20009, 20010],
    call: () => ({ text: openForm().slice(0, -1024), content_type: form }),
  },
  {
    // A file as JSON might carry it.
    rows: 'audio-files.upload.json-body-rejected',
    call: () => ({ body: { file: Buffer.from(medium('speech.wav').subarray(0, 4096)).toString('base64') } }),
  },
] as const satisfies readonly Refused[]

const wav = 'audio-files.upload.wav-accepted'

/**
 * An honest file behind another field. Whether a form may hold one is not said: where it may, a file that stands behind it
 * is as good as one before it.
 *
 * @returns an upload that was taken, if one was
 */
const takeBehindField = step([wav], async (c, key: KeyName) => {
  const before = c.exchange()
  const file = honest(key).multipart ?? []
  const note = { name: 'title', data: 'A voice' }
  const { ok, exchange } = await c.call('upload-audio', {
    key,
    multipart: [note, ...file],
    expect: acceptance(wav, (behind) => ({ onlyIf: [any(accepted(behind), accepted(before))] })),
  })
  if (ok) return exchange
  await c.call('upload-audio', { key, exchange: before, multipart: [...file, note] })
  return (await c.call('upload-audio', honest(key))).exchange
})

/** How often an honest file is sent once more, to see that the service takes files. */
const mostSeen = 2

/** Each beside an honest file. Where the service fails over one, only what it takes just then tells that it is not down. */
const refuse = step(rowsOfRefusals(refusals), async (c, key: KeyName, control: number) => {
  let seen = 0
  for (const { call, ...refusal } of sentOf(c, refusals)) {
    const refused = await c.call('upload-audio', { ...call(), key, expect: rejection({ ...refusal, control }) })
    if (!isMishap(refused) || seen === mostSeen) continue
    seen += 1
    await c.call('upload-audio', honest(key))
  }
})

/** Requests of this scenario, at most. */
const most = refusals.length + 3 + mostSeen

/** Refuses what is no file, no form, or of no type of the list, each with its code. */
export const refused = scenario({
  id: 'audio-files.refusals',
  needs: { abilities: ['audio_files'] },
  steps: [takeBehindField, refuse],
  // What the refusals stand beside is another file than those of other scenarios, and ends like a line.
  observes: ['audio-files.file.ids-distinct', 'audio-files.file.urls-distinct', 'audio-files.file.size-bytes-exact'],
  price: {
    requests: { primary: most, other_workspace: most, rate_limited: most },
    typical: refusals.length + 1,
  },
  optional: optionalRefusals(refusals),
  async drive(c) {
    // What it sends fills up the limit, which is exceeded in any case.
    const key = pickKey(c, 'rate_limited', 'other_workspace')
    await refuse(c, key, await takeBehindField(c, key))
  },
})
