import { createHash } from 'node:crypto'
import type { UploadInput } from '../behaviour/validations/upload.ts'
import type { AudioFile } from '../files/audio-file.ts'
import { detectType } from '../files/detect.ts'
import { type FormPart, readForm } from '../files/form.ts'
import { readWav } from '../files/wav.ts'
import type { Account } from '../keys.ts'
import type { Service } from '../service.ts'
import { drawFields } from './fields.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import type { RestRequest } from './request.ts'
import { holdToStanding } from './standing.ts'

const NO_PART: FormPart = { name: undefined, filename: undefined, declared: '', bytes: Buffer.alloc(0) }

/** 4.3 POST `/v1/files/audios`. */
export async function uploadAudio(service: Service, request: RestRequest): Promise<unknown> {
  const { validations, files } = service.behaviour
  holdToStanding(service, request)
  const input = await readUpload(service, request)
  refuseInvalid(validations.upload, input)
  const file = keep(service, request.account, input)
  return drawFields(files.shown, file)
}

async function readUpload(service: Service, request: RestRequest): Promise<UploadInput> {
  const { files, limits } = service.behaviour
  const contentType = request.headers['content-type'] ?? ''
  const body = files.repaired(request.body, contentType)
  const parts = await readForm(body, contentType)
  const part = parts === undefined ? undefined : files.fileIn(parts, (one) => files.isFile(one))
  const type = part === undefined ? undefined : files.typeOf(await detectType(part.bytes), part)
  const measured = part === undefined ? 0 : files.measured(part, body.length, request.headers)
  const wav = part === undefined ? undefined : readWav(part.bytes)
  return { files, limits, contentType, body, parts, part, type, measured, wav }
}

function keep(service: Service, account: Account, input: UploadInput): AudioFile {
  const { access, files } = service.behaviour
  const { part = NO_PART, type, wav } = input
  const file: AudioFile = {
    id: files.id(service.random, account),
    account,
    detected: type ?? part.declared,
    declared: part.declared,
    bytes: part.bytes.length,
    formBytes: input.body.length,
    digest: createHash('sha256').update(part.bytes).digest('hex'),
    wav,
    createdAt: Date.now(),
  }
  const known = files.same(file, service.files.values())
  if (known !== undefined) return known
  service.files.set(access.kept(account, file.id), file)
  return file
}
