import type { RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { asciiWav } from '#media/ascii-wav'
import { medium } from '#media/media'
import type { Context } from '#scenario/author/context'
import { keyOf } from '#scenario/author/key-of'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, any, rejected } from '#trace/conditions'
import { fileOf, honest } from './forms.ts'

/** Something that Upload Audio refuses, and which rows that bears out. */
interface Refusal {
  readonly call: () => RestCall
  readonly coded: RequirementId
  readonly codes: readonly number[]
  /** The row of section 4.3 that speaks of no code. */
  readonly plain?: RequirementId
}

const boundary = 'greenroom-boundary'
const form = `multipart/form-data; boundary=${boundary}`

/** A form as text, without what closes it. */
function openForm(): string {
  const head = `Content-Disposition: form-data; name="file"; filename="tone.wav"\r\nContent-Type: audio/wav\r\n\r\n`
  return `--${boundary}\r\n${head}${asciiWav()}`
}

const refusals: readonly Refusal[] = [
  {
    coded: 'audio-files.code-20008.image',
    codes: [20008],
    plain: 'audio-files.upload.image-rejected',
    call: () => ({ multipart: [fileOf('pixel.png', 'image/png')] }),
  },
  {
    coded: 'audio-files.code-20008.unlisted-audio',
    codes: [20008],
    plain: 'audio-files.upload.unlisted-audio-rejected',
    call: () => ({ multipart: [fileOf('silence.aiff', 'audio/aiff')] }),
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
    coded: 'audio-files.code-20009.cut-short',
    codes: [20009, 20010],
    call: () => ({ text: openForm().slice(0, -1024), content_type: form }),
  },
]

/** A file as JSON might carry it. */
function jsonBody(): RestCall {
  return { body: { file: Buffer.from(medium('speech.wav').subarray(0, 4096)).toString('base64') } }
}

const inJson: RequirementId = 'audio-files.upload.json-body-rejected'
/** Its twin is another file than those of other scenarios, and ends like a line. */
const distinct: RequirementId = 'audio-files.file.ids-distinct'
const exact: RequirementId = 'audio-files.file.size-bytes-exact'

/**
 * An honest file behind another field. Whether a form may hold one is not said: where it may, a file that stands behind it
 * is as good as one before it.
 *
 * @returns an upload that was taken, if one was
 */
async function sendHonest(context: Context, key: KeyName): Promise<number> {
  const [behind, alone, before] = [context.exchange(), context.exchange(), context.exchange()]
  const file = honest(key).multipart ?? []
  const note = { name: 'title', data: 'A voice' }
  const takesBoth = { given: [any(accepted(behind), accepted(before))], given_code: 'model_choice' } as const
  context.claim('audio-files.upload.wav-accepted', accepted(behind), takesBoth)
  const { ok } = await context.call('upload-audio', { key, exchange: behind, multipart: [note, ...file] })
  if (ok) return behind
  await context.call('upload-audio', { key, exchange: before, multipart: [...file, note] })
  await context.call('upload-audio', { ...honest(key), exchange: alone })
  return alone
}

/** Refuses what is no file, no form, or of no type of the list, each with its code. */
export const refused: Scenario = {
  id: 'audio-files.refusals',
  needs: { abilities: ['audio_files'] },
  proves: [
    ...refusals.flatMap(({ coded, plain }) => [coded, ...(plain === undefined ? [] : [plain])]),
    'audio-files.upload.wav-accepted',
    inJson,
    distinct,
    exact,
  ],
  price: {
    requests: { primary: refusals.length + 4, other_workspace: refusals.length + 4, rate_limited: refusals.length + 4 },
    typical: refusals.length + 2,
  },
  async drive(context) {
    // What it sends fills up the limit, which is exceeded in any case.
    const key = keyOf(context, 'rate_limited', 'other_workspace')
    const twin = await sendHonest(context, key)
    for (const { call, coded, codes, plain } of refusals) {
      const exchange = context.exchange()
      context.claim(coded, rejected(exchange, twin, codes))
      if (plain !== undefined) context.claim(plain, rejected(exchange, twin))
      await context.call('upload-audio', { ...call(), exchange, key })
    }
    const exchange = context.exchange()
    context.claim(inJson, rejected(exchange, twin))
    await context.call('upload-audio', { ...jsonBody(), exchange, key })
  },
}
