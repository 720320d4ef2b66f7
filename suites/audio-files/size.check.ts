import type { Exchange } from '#client/types'
import { speech } from '#media/speech'
import { stereo, wavOfBytes } from '#media/wav'
import type { Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, rejected } from '#trace/conditions'
import { uploadKey, wavFile } from './forms.ts'

/** 10MB is at least so many bytes (section 8). */
const allowed = 10_000_000
/** One more than 10 times 1,024 times 1,024. */
const tooMany = 10_485_761
/** 48,000 samples a second in two channels: ten megabytes of it last less than the 60 seconds of a clone sample. */
const rate = 48_000
const sound = { rate, channels: 2 }
/** Megabytes take their time on a slow line: so many times as long as any other request. */
const patience = 12

/** A file of ten megabytes is taken, one of more than that is not. */
export const size: Scenario = {
  id: 'audio-files.size',
  needs: { abilities: ['audio_files'] },
  proves: [
    'audio-files.size.10000000-bytes-accepted',
    'audio-files.size.10485761-bytes-rejected',
    'audio-files.code-20007.too-large',
    'audio-files.file.size-bytes-exact',
  ],
  price: { requests: { primary: 5, other_workspace: 5 }, typical: 2 },
  async drive(context) {
    const pieces = context.exchange()
    const { ok } = await send(context, pieces, allowed, true)
    if (ok) context.claim('audio-files.size.10000000-bytes-accepted', accepted(pieces))
    const twin = ok ? pieces : await sendWhole(context)
    await insist(context, (exchange, again) => {
      context.claim('audio-files.size.10485761-bytes-rejected', rejected(exchange, twin))
      context.claim('audio-files.code-20007.too-large', rejected(exchange, twin, [20007]))
      return send(context, exchange, tooMany, ok && !again)
    })
  },
}

/** What is between the two meanings of 10MB is the service's choice. */
export const between: Scenario = {
  id: 'audio-files.size-between',
  tier: 'full',
  needs: { abilities: ['audio_files'] },
  proves: [],
  price: { requests: { primary: 1, other_workspace: 1 }, typical: 1 },
  async drive(context) {
    await send(context, context.exchange(), tooMany - 1)
  },
}

/** Whether a body must tell its length beforehand is not said: where it need not, a service has to count for itself. */
function sendWhole(context: Context): Promise<number> {
  return insist(context, (exchange) => {
    context.claim('audio-files.size.10000000-bytes-accepted', accepted(exchange))
    return send(context, exchange, allowed)
  })
}

async function send(context: Context, exchange: number, bytes: number, chunked = false): Promise<Exchange> {
  return context.call('upload-audio', {
    exchange,
    chunked,
    key: uploadKey(context),
    multipart: [wavFile(fileOf(bytes))],
    deadline_ms: patience * context.timeouts.reply_ms,
  })
}

/** Made once: each takes longer to make than to send. */
const files = new Map<number, Uint8Array>()

function fileOf(bytes: number): Uint8Array {
  const file = files.get(bytes) ?? wavOfBytes(bytes, stereo(speech(4, rate)), sound)
  files.set(bytes, file)
  return file
}

/**
 * A service may hang up on a body that is too large before all of it was sent, and then its answer is lost: once more.
 *
 * @returns the exchange that got an answer, or the last one
 */
async function insist(
  context: Context,
  attempt: (exchange: number, again: boolean) => Promise<Exchange>,
): Promise<number> {
  const first = context.exchange()
  const answer = await attempt(first, false)
  if (answer.status !== 0) return first
  const second = context.exchange()
  await attempt(second, true)
  return second
}
