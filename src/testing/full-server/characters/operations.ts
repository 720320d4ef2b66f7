import { createHash } from 'node:crypto'
import { needAccess, offerTo } from '../avatar-sessions/operations.ts'
import { bodyOf, type Call, type Service } from '../call.ts'
import { readCharacter } from './character-shape.ts'
import type { Character } from './characters.ts'
import { type JsonObject, isBag } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { secondsStamp } from '../stamps.ts'
import { LOWERED_PAGE } from '../choices.ts'

const DEFAULT_PAGE = 50
const LARGEST_PAGE = 200

export function createCharacter(call: Call, service: Service): unknown {
  needAccess(call)
  const { name, configuration } = readCharacter(bodyOf(call, 20004), offerTo(call, service))
  return view(service.characters.add(name, configuration, call.account.workspace))
}

export function getCharacter(call: Call, { characters }: Service): unknown {
  return view(characters.need(call.id, call.account.workspace))
}

export function replaceCharacter(call: Call, service: Service): unknown {
  const { workspace } = call.account
  service.characters.need(call.id, workspace)
  const { name, configuration } = readCharacter(bodyOf(call, 20004), offerTo(call, service))
  return view(service.characters.replace(call.id, name, configuration, workspace))
}

export function deleteCharacter(call: Call, { characters }: Service): unknown {
  characters.drop(call.id, call.account.workspace)
  return { status: 'deleted', character_id: call.id }
}

/** A page token is the number of the last character that was shown, and a proof that it is ours. */
export function listCharacters({ query, account }: Call, { characters, choices }: Service): unknown {
  const size = Math.min(pageSize(query.get('page_size'), choices.contrary), choices.longestPage)
  const before = beforeOf(query.get('page_token'))
  const rest = characters.of(account.workspace).filter((one) => one.number < before)
  const items = rest.slice(0, size)
  const last = rest.length > size ? items.at(-1) : undefined
  const next_page_token = last === undefined ? '' : tokenOf(last.number)
  return { next_page_token, items: items.map(summary) }
}

function pageSize(text: string | null, strict: boolean): number {
  if (text === null || text === '') return DEFAULT_PAGE
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Refusal(20004, 'page_size is no positive integer')
  if (strict && Number(text) > LARGEST_PAGE) throw new Refusal(20004, 'page_size is too large')
  return Number(text) > LARGEST_PAGE ? LOWERED_PAGE : Number(text)
}

function beforeOf(token: string | null): number {
  if (token === null || token === '') return Infinity
  const number = Number(/^(\d+)~/.exec(token)?.[1])
  if (tokenOf(number) !== token) throw new Refusal(20004, 'invalid page_token')
  return number
}

function tokenOf(number: number): string {
  return `${number}~${createHash('sha1').update(`page after ${number}`).digest('hex').slice(0, 12)}`
}

function times({ createdAt, updatedAt }: Character): JsonObject {
  return { updated_at: secondsStamp(updatedAt), created_at: secondsStamp(createdAt) }
}

function view(character: Character): JsonObject {
  const { id, name, configuration } = character
  return { revision: '1', ...withoutSecrets(configuration), ...times(character), name, character_id: id }
}

function withoutSecrets(configuration: JsonObject): JsonObject {
  const text = JSON.stringify(configuration, (key, value: unknown) =>
    key === 'tts_api_key' || key === 'llm_api_key' ? undefined : value,
  )
  return JSON.parse(text) as JsonObject
}

function summary(character: Character): JsonObject {
  const { model, output } = character.configuration
  const resolution = isBag(output) ? output['resolution'] : undefined
  return {
    ...(resolution === undefined ? {} : { resolution }),
    ...(model === undefined ? {} : { model }),
    ...times(character),
    name: character.name,
    character_id: character.id,
  }
}
