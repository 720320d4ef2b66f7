import type { CloneInput } from '../behaviour/validations/voices.ts'
import type { AudioFile } from '../files/audio-file.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { Voice } from '../voices/voice.ts'
import { textOf } from '../wire.ts'
import { readJson } from './body.ts'
import { drawFields } from './fields.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import type { RestRequest } from './request.ts'
import { holdToStanding } from './standing.ts'

const NO_FILE: Omit<AudioFile, 'account'> = {
  id: '',
  detected: '',
  declared: '',
  bytes: 0,
  formBytes: 0,
  digest: '',
  wav: undefined,
  createdAt: 0,
}

/** 4.3 POST `/v1/voices`. */
export async function cloneVoice(service: Service, request: RestRequest): Promise<unknown> {
  const { validations, voices } = service.behaviour
  holdToStanding(service, request)
  const input = readClone(service, request)
  await service.timers.wait(voices.cloneMs)
  try {
    refuseInvalid(validations.clone, input)
  } catch (error) {
    if (error instanceof Refusal && voices.makesRefused(error.code, input.body)) keep(service, request, input)
    throw error
  }
  const voice = keep(service, request, input)
  if (voices.usesUp) service.files.delete(service.behaviour.access.kept(request.account, voice.file.id))
  return drawFields(voices.cloned, voice)
}

function readClone(service: Service, { account, body: bytes, operation }: RestRequest): CloneInput {
  const { voices, limits, access } = service.behaviour
  const given = readJson(bytes)
  const body = given ?? {}
  const named = voices.fileOf(access.kept(account, textOf(body['file_id']) ?? ''), service.files)
  // "`file_id` not in workspace" is not found at all (1.6).
  const file = named !== undefined && access.sees(account, named.account, operation) ? named : undefined
  const own = [...service.voices.values()].filter((voice) => voice.account.workspace === account.workspace)
  return { given, body, voices, limits, file, hidden: file === undefined && named !== undefined, own }
}

function keep(service: Service, { account }: RestRequest, { body, file }: CloneInput): Voice {
  const { access, voices } = service.behaviour
  const voice: Voice = {
    id: voices.id(service.random, account),
    account,
    name: textOf(body['name']) ?? '',
    language: textOf(body['language']),
    file: file ?? { ...NO_FILE, account },
  }
  service.voices.set(access.kept(account, voice.id), voice)
  return voice
}

/** "voices visible to the workspace: its own cloned voices plus public voices" */
export function listVoices(service: Service, { account, operation }: RestRequest): unknown {
  const { voices, access } = service.behaviour
  const own = [...service.voices.values()].filter(
    (voice) => access.sees(account, voice.account, operation) && voices.finds(voice, operation),
  )
  const shared = voices.findsPublic(operation) ? voices.public : []
  return voices.list(
    own.map((voice) => drawFields(voices.cloned, voice)),
    shared.map((voice) => drawFields(voices.shared, voice)),
  )
}

/** "One voice; same shape as clone result." One that is not visible is not found. */
export function getVoice(service: Service, { account, operation, param }: RestRequest): unknown {
  const { voices, access } = service.behaviour
  const id = param('voice_id')
  const shared = voices.findsPublic(operation) ? voices.public.find((voice) => voice.id === id) : undefined
  if (shared !== undefined) return drawFields(voices.shared, shared)
  const voice = service.voices.get(access.kept(account, id))
  if (voice === undefined || !voices.finds(voice, operation)) throw new Refusal(voices.unknown, 'voice')
  const draw = () => drawFields(voices.cloned, voice)
  if (!access.sees(account, voice.account, operation))
    throw new Refusal(access.unseen(operation), 'voice', undefined, draw)
  return draw()
}
