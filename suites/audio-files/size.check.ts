import type { Exchange } from '#client/types'
import { speech } from '#media/speech'
import { stereo, wavOfBytes } from '#media/wav'
import type { Call, Context } from '#scenario/author/context'
import { acceptance, rejection } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { RequirementId } from '#spec/register'
import { uploadKey, wavFile } from './forms.ts'

/** 10MB is at least so many bytes (section 8). */
const allowed = 10_000_000
/** One more than 10 times 1,024 times 1,024. */
const tooMany = 10_485_761
/** 48,000 samples a second in two channels: ten megabytes of it last less than the 60 seconds of a clone sample. */
const rate = 48_000
const sound = { rate, channels: 2 }
/** Megabytes take their time on a slow line: so many times as long as any other request. */
const patience = 6

const taken = 'audio-files.size.10000000-bytes-accepted'

/** Whether a body must tell its length beforehand is not said: where it need not, a service has to count for itself. */
const takeMost = step([taken], async (c) => {
  const { ok, exchange } = await send(c, allowed, { chunked: true })
  if (ok) c.expect(acceptance(taken), exchange)
  const whole = () => send(c, allowed, { expect: acceptance(taken) })
  return { control: ok ? exchange : (await onceMore(whole)).exchange, chunked: ok }
})

const refuseMore = step(
  ['audio-files.size.10485761-bytes-rejected', 'audio-files.code-20007.too-large'],
  async (c, { control, chunked }: { readonly control: number; readonly chunked: boolean }) => {
    const expect = rejection({
      rows: 'audio-files.size.10485761-bytes-rejected',
      coded: 'audio-files.code-20007.too-large',
      codes: [20007],
      control,
    })
    await onceMore((again) => send(c, tooMany, { chunked: chunked && !again, expect }))
  },
)

/** A file of ten megabytes is taken, one of more than that is not. */
export const size = scenario({
  id: 'audio-files.size',
  needs: { abilities: ['audio_files'] },
  steps: [takeMost, refuseMore],
  observes: ['audio-files.file.size-bytes-exact'],
  price: { requests: { primary: 5, other_workspace: 5 }, typical: 2 },
  async drive(c) {
    await refuseMore(c, await takeMost(c))
  },
})

/** What is between the two meanings of 10MB is the service's choice. */
export const between = scenario({
  id: 'audio-files.size-between',
  tier: 'full',
  needs: { abilities: ['audio_files'] },
  price: { requests: { primary: 1, other_workspace: 1 }, typical: 1 },
  async drive(c) {
    await send(c, tooMany - 1)
  },
})

interface Sending<Row extends RequirementId> extends Pick<Call<Row>, 'chunked' | 'expect'> {}

function send<Row extends RequirementId>(
  c: Context<Row>,
  bytes: number,
  sending: Sending<Row> = {},
): Promise<Exchange> {
  return c.call('upload-audio', {
    chunked: false,
    ...sending,
    key: uploadKey(c),
    multipart: [wavFile(fileOf(bytes))],
    deadline_ms: patience * c.timeouts.reply_ms,
  })
}

/** Made once: each takes longer to make than to send. */
const files = new Map<number, Uint8Array>()

function fileOf(bytes: number): Uint8Array {
  const file = files.get(bytes) ?? wavOfBytes(bytes, stereo(speech(4, rate)), sound)
  files.set(bytes, file)
  return file
}

/** A service may hang up on a body that is too large before all of it was sent, and then its answer is lost: once more. */
async function onceMore(attempt: (again: boolean) => Promise<Exchange>): Promise<Exchange> {
  const answer = await attempt(false)
  return answer.status === 0 ? attempt(true) : answer
}
