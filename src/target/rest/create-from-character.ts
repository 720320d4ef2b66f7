import { readCreate } from '../behaviour/validations/create-session.ts'
import { drawSession, type Service } from '../service.ts'
import type { JsonObject } from '../wire.ts'
import { holdToTables, readBody, scopedKey } from './create-session.ts'
import { carryThrough } from './creation.ts'
import { findCharacter } from './find-character.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import type { RestRequest } from './request.ts'

/** The id that the body gives. */
function namedIn(service: Service, { account, operation }: RestRequest, sent: JsonObject): string {
  const { access, characters } = service.behaviour
  const own = [...service.characters.values()].filter((one) => access.sees(account, one.account, operation))
  return characters.sessions.named(sent, own)
}

/** The create that the saved configuration and the body make together; of the body alone where nothing is saved. */
function combined(service: Service, keptAs: string, sent: JsonObject): JsonObject {
  const { sessions } = service.behaviour.characters
  const character = service.characters.get(keptAs)
  if (character === undefined) return sessions.body({}, sent, sessions)
  const body = sessions.body(sessions.saved(character), sent, sessions)
  sessions.touches(character, sent)
  return body
}

/** 4.1 POST `/v1/realtime-avatar/character-sessions`. */
export async function createSessionFromCharacter(service: Service, request: RestRequest): Promise<unknown> {
  const { access, create, limits, views, validations } = service.behaviour
  const { account, operation } = request
  const sent = readBody(service, request.body)
  const characterId = namedIn(service, request, sent)
  const input = {
    ...readCreate(combined(service, access.kept(account, characterId), sent), create, limits),
    characterId,
  }
  const { session, replayed } = await carryThrough(service, {
    request,
    input,
    scoped: scopedKey(service, request, sent),
    validate: () => {
      refuseInvalid(validations.start.body, { body: sent, limits })
      findCharacter(service, account, characterId, operation)
      holdToTables(validations.start, input)
    },
  })
  return drawSession(service, replayed ? views.replayed : views.created, session)
}
