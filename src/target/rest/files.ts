import type { UploadInput } from '../behaviour/rules/upload.ts'
import type { AudioFile } from '../files/audio-file.ts'
import { detectType } from '../files/detect.ts'
import { type FormPart, readForm } from '../files/form.ts'
import { wavSeconds } from '../files/wav.ts'
import type { Account } from '../keys.ts'
import type { Service } from '../service.ts'
import { drawFields } from './fields.ts'
import { holdToRules } from './hold-to-rules.ts'
import type { RestRequest } from './request.ts'
import { holdToStanding } from './standing.ts'

const NO_PART: FormPart = { name: undefined, filename: undefined, declared: '', bytes: Buffer.alloc(0) }

/** 4.3 POST `/v1/files/audios`. */
export async function uploadAudio(service: Service, request: RestRequest): Promise<unknown> {
  const { rules, files } = service.behaviour
  holdToStanding(service, request)
  const input = await readUpload(service, request)
  holdToRules(rules.upload, input)
  const file = keep(service, request.account, input, request.body.length)
  return files.dress(drawFields(files.shown, file), file)
}

async function readUpload(service: Service, { body, headers }: RestRequest): Promise<UploadInput> {
  const { files, limits } = service.behaviour
  const parts = await readForm(body, headers['content-type'] ?? '')
  const part = parts?.find((one) => files.isFile(one))
  const type = part === undefined ? undefined : files.typeOf(await detectType(part.bytes), part)
  const measured = part === undefined ? 0 : files.measured(part, body.length)
  return { files, limits, parts, part, type, measured }
}

function keep(service: Service, account: Account, { part = NO_PART, type }: UploadInput, formBytes: number): AudioFile {
  const { files } = service.behaviour
  const file: AudioFile = {
    id: files.id(service.random),
    account,
    detected: type ?? part.declared,
    declared: part.declared,
    bytes: part.bytes.length,
    formBytes,
    seconds: wavSeconds(part.bytes),
    createdAt: Date.now(),
  }
  if (!files.forgets(file)) service.files.set(file.id, file)
  return file
}
