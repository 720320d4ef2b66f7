import { needAccess } from '../avatar-sessions/operations.ts'
import { bodyOf, type Call, type Service } from '../call.ts'
import { Refusal } from '../refusal.ts'
import { sampleOf } from './sample.ts'
import { TRIGGERS } from '../choices.ts'

const LONGEST_NAME = 128
const PROVIDER_MS = 60

const languages = 'zh en fr de ja ko ru pt th id vi it es ms fil ar'.split(' ')

/** Section 4.3, Clone Voice. */
export async function cloneVoice(call: Call, { files, voices, timers }: Service): Promise<unknown> {
  needAccess(call)
  const body = bodyOf(call, 20004)
  for (const needed of ['name', 'file_id']) {
    if (!body.has(needed)) throw new Refusal(20003, `missing required parameter ${needed}`)
  }
  const name = body.words('name')
  if (Array.from(name).length > LONGEST_NAME) throw body.bad('name', 'is too long')
  const language = body.choice('language', languages) ?? ''
  const file = files.find(body.words('file_id'), call.account.workspace)
  if (file === undefined) throw new Refusal(20005, 'not found')
  checkSample(file.mimeType, file.bytes)
  await timers.pause(PROVIDER_MS)
  if (name === TRIGGERS.failing_voice_name) throw new Refusal(30007, 'voice clone provider failed')
  return voices.add(name, language, call.account.workspace)
}

function checkSample(mimeType: string, bytes: Buffer): void {
  const sample = sampleOf(mimeType, bytes)
  if (sample === undefined) throw new Refusal(20011, 'a sample is a WAV or MP3 recording')
  if (sample.seconds > 60) throw new Refusal(20011, 'the sample is longer than 60 seconds')
  if (sample.seconds < 5) throw new Refusal(20011, 'the sample is shorter than 5 seconds')
  if ((sample.rate ?? 0) < 16_000) throw new Refusal(20011, 'the sample rate is below 16 kHz')
  if (sample.bits !== undefined && sample.bits !== 16) throw new Refusal(20011, 'the sample is not of 16 bits')
}

export function listVoices({ account }: Call, { voices }: Service): unknown {
  return { total: '2+', voices: voices.visible(account.workspace) }
}

export function getVoice({ account, id }: Call, { voices }: Service): unknown {
  const voice = voices.find(id, account.workspace)
  if (voice === undefined) throw new Refusal(20005, 'not found')
  return voice
}
