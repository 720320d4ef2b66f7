import type { SaveOperation } from '../behaviour/characters/records.ts'
import { readCreate } from '../behaviour/rules/create-session.ts'
import type { Character, Saved } from '../characters/character.ts'
import type { Account } from '../keys.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { close } from '../sessions/close.ts'
import type { Wire } from '../wire.ts'
import { readJson } from './body.ts'
import { drawFields } from './fields.ts'
import { holdToTables } from './create-session.ts'
import { holdToRules } from './hold-to-rules.ts'
import type { RestRequest } from './request.ts'
import { holdToStanding } from './standing.ts'

/** 20005: a character "not existing, deleted or in another workspace". */
export function findCharacter(service: Service, account: Account, id: string, operation: string): Character {
  const { access, characters } = service.behaviour
  const character = service.characters.get(id)
  const seen = character !== undefined && access.sees(account, character.account, operation)
  if (!seen || !characters.found(character, operation)) throw new Refusal(characters.unseen(operation), 'character')
  return character
}

function readSave(service: Service, bytes: Buffer): Wire {
  const { characters } = service.behaviour
  const body = readJson(bytes) ?? characters.unparsable(bytes)
  if (body === undefined) throw new Refusal('20004', 'the body is not a JSON object')
  return characters.read(body)
}

/** 4.2: the rules of the create body; a configuration is held to what Create Session asks. */
function validate(service: Service, body: Wire): void {
  const { rules, limits, create } = service.behaviour
  const input = readCreate(body, create, limits)
  holdToRules(rules.character.name, { body, limits })
  holdToTables(rules.character, input)
}

/** "Content is checked by moderation on save." */
function moderate(service: Service, body: Wire, operation: SaveOperation): void {
  const { moderates, moderatedTexts, rejects } = service.behaviour.characters
  if (moderates(operation) && moderatedTexts(body).some(rejects)) throw new Refusal('30001', '')
}

/** Checks a save and writes it. */
function save<Written>(service: Service, request: RestRequest, write: (saved: Saved) => Written): Written {
  const { characters } = service.behaviour
  const operation = request.operation === 'create-character' ? 'create-character' : 'replace-character'
  const body = readSave(service, request.body)
  const saved = (): Saved => ({ name: characters.named(body), configuration: characters.stored(body) })
  try {
    holdToStanding(service, request)
    validate(service, body)
    moderate(service, body, operation)
  } catch (error) {
    if (error instanceof Refusal && characters.writesRefused(error.code, operation)) write(saved())
    throw error
  }
  return write(saved())
}

/** "Full character (2.7)." */
const drawFull = ({ behaviour: { characters } }: Service, character: Character): Wire => ({
  ...drawFields(characters.views.full, character),
  ...characters.views.configuration(character),
})

function store(service: Service, account: Account, saved: Saved): Character {
  const { characters } = service.behaviour
  const id = characters.id(service.random)
  const now = Date.now()
  const serial = service.characters.size + 1
  const character = { id, account, serial, createdAt: now, updatedAt: now, deleted: false, ...saved }
  service.characters.set(id, character)
  return character
}

/** 4.2 POST `/v1/characters`: "Does not start a session." */
export const createCharacter = (service: Service, request: RestRequest): unknown =>
  drawFull(
    service,
    save(service, request, (saved) => store(service, request.account, saved)),
  )

/** Finds the character of a path; `unseen` is called before it is refused. */
function findOr(service: Service, { account, operation }: RestRequest, id: string, unseen: () => void): Character {
  try {
    return findCharacter(service, account, id, operation)
  } catch (error) {
    unseen()
    throw error
  }
}

/** Acts on the character that the path names. */
function onNamed(service: Service, request: RestRequest, act: (character: Character) => unknown): unknown {
  const { characters } = service.behaviour
  const id = request.param('character_id')
  const known = service.characters.get(id)
  const madeUp = known === undefined ? characters.madeUp(id, request.operation) : undefined
  if (madeUp !== undefined) return madeUp
  return act(
    findOr(service, request, id, () => {
      if (known !== undefined && characters.actsUnseen(request.operation)) act(known)
    }),
  )
}

/** 4.2 GET `/v1/characters/{character_id}`. */
export const getCharacter = (service: Service, request: RestRequest): unknown =>
  onNamed(service, request, (character) => drawFull(service, character))

const sessionsFrom = (service: Service, { id }: Character) =>
  [...service.sessions.values()].filter(({ plan }) => plan.characterId === id)

/** 4.2 PUT `/v1/characters/{character_id}`: "Replaces the whole record (not a patch)." */
export const replaceCharacter = (service: Service, request: RestRequest): unknown =>
  onNamed(service, request, (character) => {
    const { characters } = service.behaviour
    save(service, request, (saved) => {
      Object.assign(character, characters.replaced(character, saved), characters.restamped(character, Date.now()))
      for (const session of sessionsFrom(service, character)) characters.reaches(session, character)
    })
    return drawFull(service, character)
  })

/** 3.6: "Delete moves it to deleted"; "Sessions already running are not interrupted." */
export const deleteCharacter = (service: Service, request: RestRequest): unknown =>
  onNamed(service, request, (character) => {
    const { characters } = service.behaviour
    characters.deleted(character)
    for (const session of sessionsFrom(service, character))
      if (characters.interrupts(session)) close(service, session, 'request')
    return drawFields(characters.views.deletion, character)
  })
