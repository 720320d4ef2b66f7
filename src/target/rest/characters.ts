import type { SaveOperation, Unseen } from '../behaviour/characters/records.ts'
import { readCreate } from '../behaviour/validations/create-session.ts'
import type { Character, Saved } from '../characters/character.ts'
import type { Account } from '../keys.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { armAutoClose } from '../sessions/clocks.ts'
import { close } from '../sessions/close.ts'
import type { Session } from '../sessions/session.ts'
import type { JsonObject } from '../wire.ts'
import { readJson } from './body.ts'
import { holdToTables } from './create-session.ts'
import { takeFreeSlot } from './creation.ts'
import { drawFields } from './fields.ts'
import { findCharacter } from './find-character.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import type { RestRequest } from './request.ts'
import { holdToStanding } from './standing.ts'

function readSave(service: Service, bytes: Buffer, operation: SaveOperation): JsonObject {
  const { characters } = service.behaviour
  const body = readJson(bytes) ?? characters.unparsable(bytes, operation)
  if (body === undefined) throw new Refusal(characters.malformed(operation), 'the body is not a JSON object')
  return characters.read(body)
}

/** 4.2: the validations of the create body; a configuration is held to what Create Session asks. */
function validate(service: Service, body: JsonObject, operation: SaveOperation): void {
  const { validations, limits, create } = service.behaviour
  const tables = operation === 'create-character' ? validations.character : validations.replacement
  refuseInvalid(tables.name, { body, limits })
  holdToTables(tables, readCreate(body, create, limits))
}

/** "Content is checked by moderation on save." */
function moderate(service: Service, body: JsonObject, operation: SaveOperation): void {
  const { moderates, moderatedTexts, rejects, rejected } = service.behaviour.characters
  if (moderates(operation) && moderatedTexts(body).some(rejects)) throw new Refusal(rejected(operation), '')
}

/** Checks a save and writes it. */
function save<Written>(service: Service, request: RestRequest, write: (saved: Saved) => Written): Written {
  const { characters } = service.behaviour
  const operation = request.operation === 'create-character' ? 'create-character' : 'replace-character'
  const body = readSave(service, request.body, operation)
  const saved = (): Saved => ({ name: characters.named(body), configuration: characters.stored(body, operation) })
  try {
    holdToStanding(service, request)
    validate(service, body, operation)
    moderate(service, body, operation)
  } catch (error) {
    if (error instanceof Refusal && characters.writesRefused(error.code, operation)) write(saved())
    throw error
  }
  return write(saved())
}

/** "Full character (2.7)." */
const drawFull = ({ behaviour: { characters } }: Service, character: Character): JsonObject => ({
  ...drawFields(characters.views.full, character),
  ...characters.views.configuration(character),
})

function store(service: Service, account: Account, saved: Saved, id: string): Character {
  const now = Date.now()
  const serial = service.characters.size + 1
  const character = { id, account, serial, createdAt: now, updatedAt: now, deleted: false, ...saved }
  service.characters.set(service.behaviour.access.kept(account, id), character)
  return character
}

/** 4.2 POST `/v1/characters`: "Does not start a session." */
export function createCharacter(service: Service, request: RestRequest): unknown {
  const { account } = request
  const { characters, quota } = service.behaviour
  const character = save(service, request, (saved) =>
    store(service, account, saved, characters.id(service.random, account, saved)),
  )
  if (quota.heldBySaves) takeFreeSlot(service, account)
  return drawFull(service, character)
}

/** Acts on the character that the path names. */
function onNamed(service: Service, request: RestRequest, act: (character: Character) => unknown): unknown {
  const { access, characters } = service.behaviour
  const { account, operation, param } = request
  const id = param('character_id')
  const known = service.characters.get(access.kept(account, id))
  const madeUp = known === undefined ? characters.madeUp(id, operation) : undefined
  if (madeUp !== undefined) return madeUp
  const unseen = (_why: Unseen): void => {
    if (known !== undefined && characters.actsUnseen(operation)) act(known)
  }
  return act(findCharacter(service, account, id, operation, unseen))
}

/** 4.2 GET `/v1/characters/{character_id}`. */
export const getCharacter = (service: Service, request: RestRequest): unknown =>
  onNamed(service, request, (character) => drawFull(service, character))

const sessionsFrom = (service: Service, { id }: Character) =>
  [...service.sessions.values()].filter(({ plan }) => plan.characterId === id)

function replace(service: Service, character: Character, saved: Saved): void {
  const { characters } = service.behaviour
  for (const one of [character, ...characters.alsoWrites(character, [...service.characters.values()])])
    Object.assign(one, characters.replaced(one, saved), characters.restamped(one, Date.now()))
  for (const session of sessionsFrom(service, character))
    if (characters.reaches(session, character)) armAutoClose(service, session)
}

/** 4.2 PUT `/v1/characters/{character_id}`: "Replaces the whole record (not a patch)." */
export function replaceCharacter(service: Service, request: RestRequest): unknown {
  const id = request.param('character_id')
  const { access, characters } = service.behaviour
  const { upserts } = characters
  const upsert = (): void => void save(service, request, (saved) => store(service, request.account, saved, id))
  const unknown = !service.characters.has(access.kept(request.account, id))
  if (unknown && upserts === 'told') upsert()
  try {
    return onNamed(service, request, (character) => {
      const { writeMs, readBackMs } = service.behaviour.characters
      const read = (): JsonObject => drawFull(service, character)
      const write = (): JsonObject | Promise<JsonObject> => {
        save(service, request, (saved) => replace(service, character, saved))
        return readBackMs === 0 ? read() : service.timers.wait(readBackMs).then(read)
      }
      return writeMs === 0 ? write() : service.timers.wait(writeMs).then(write)
    })
  } finally {
    if (unknown && upserts === 'untold') upsert()
  }
}

function interrupt(service: Service, session: Session): void {
  const afterMs = service.behaviour.characters.interruptsAfterMs
  if (afterMs === 0) close(service, session, 'request')
  else service.timers.after(afterMs, () => close(service, session, 'request'))
}

/** 3.6: "Delete moves it to deleted"; "Sessions already running are not interrupted." */
export const deleteCharacter = (service: Service, request: RestRequest): unknown =>
  onNamed(service, request, (character) => {
    const { characters } = service.behaviour
    const others = characters.alsoDeletes(character, [...service.characters.values()])
    for (const one of [character, ...others]) characters.deleted(one)
    for (const session of sessionsFrom(service, character))
      if (characters.interrupts(session)) interrupt(service, session)
    return drawFields(characters.views.deletion, character)
  })
