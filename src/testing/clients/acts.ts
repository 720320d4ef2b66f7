import { medium } from '#media/media'
import { at, type Json, type JsonObject } from '#trace/json'
import { assets, configuration, spoilt, world } from './bodies.ts'
import type { Client } from './client.ts'

const avatarSessions = '/v1/realtime-avatar/sessions'
const worldSessions = '/v1/streaming-world/sessions'

/** What a client does over REST, each in its own proportion. */
export function actsOf(client: Client): readonly (() => Promise<unknown>)[] {
  const { dice } = client
  return [
    () => createSession(client),
    () => createSession(client),
    () => createSession(client),
    () => startCharacter(client),
    () => lookAtSession(client),
    () => client.ask('GET', avatarSessions),
    () => closeSession(client),
    () => saveCharacter(client),
    () => replaceCharacter(client),
    () => readCharacters(client),
    () => deleteCharacter(client),
    () => upload(client),
    () => cloneVoice(client),
    () => readVoices(client),
    () => createWorld(client),
    () => lookAfterWorld(client),
    () =>
      client.ask(
        dice.pick('GET', 'PATCH', 'DELETE', 'PUT'),
        dice.pick(avatarSessions, '/v1/characters', '/v2/voices', '/'),
      ),
  ]
}

/** Ends most of what the client made: some it forgets. */
export async function leave(client: Client): Promise<void> {
  for (const { id } of client.sessions)
    if (client.dice.percent(80)) await client.ask('POST', `${avatarSessions}/${id}/close`, {})
  for (const id of client.worlds) await client.ask('POST', `${worldSessions}/${id}/close`, {})
}

async function createSession(client: Client): Promise<void> {
  const { dice } = client
  const valid = {
    ...configuration(dice, client),
    ...dice.maybe(40, () => ({ assets: assets(dice) })),
    ...dice.maybe(20, () => ({ region: 'eu-1' })),
  }
  const body = { ...(dice.percent(20) ? spoilt(valid, dice) : valid), ...client.key() }
  for (const data of await repeated(client, avatarSessions, body)) client.keep(data)
}

/** Once; a few times at the same moment; or without waiting for the answer. */
async function repeated(client: Client, path: string, body: JsonObject): Promise<readonly (Json | undefined)[]> {
  const { dice } = client
  const times = body['idempotency_key'] !== undefined && dice.percent(15) ? 3 : 1
  const hurry = dice.percent(5)
  return Promise.all(Array.from({ length: times }, () => client.ask('POST', path, body, { hurry })))
}

async function startCharacter(client: Client): Promise<void> {
  const { dice } = client
  const character_id = dice.percent(5) ? 'chr_nothing' : dice.one(client.characters)
  if (character_id === undefined) return
  const body = {
    character_id,
    ...client.key(),
    ...dice.maybe(20, () => ({ output: { resolution: '480p' } })),
    ...dice.maybe(10, () => ({ avatars: [] })),
    ...dice.maybe(20, () => ({ max_duration_seconds: 300 })),
  }
  client.keep(await client.ask('POST', '/v1/realtime-avatar/character-sessions', body))
}

async function lookAtSession(client: Client): Promise<void> {
  const { dice, sessions } = client
  const session = dice.one(sessions)
  const id = dice.percent(5) ? 'ses_none' : session?.id
  if (id !== undefined) await client.ask('GET', `${avatarSessions}/${id}`)
}

async function closeSession(client: Client): Promise<void> {
  const { dice, sessions } = client
  const session = sessions.length > 6 || dice.percent(20) ? dice.one(sessions) : undefined
  if (session === undefined) return
  sessions.splice(sessions.indexOf(session), 1)
  const close = (): Promise<unknown> => client.ask('POST', `${avatarSessions}/${session.id}/close`, {})
  await Promise.all(dice.percent(30) ? [close(), close()] : [close()])
  if (dice.percent(30)) await client.ask('GET', `${avatarSessions}/${session.id}`)
}

async function saveCharacter(client: Client): Promise<void> {
  const { dice } = client
  const valid = { name: dice.text(), ...configuration(dice, client) }
  const body = dice.pick<Json>(valid, valid, valid, spoilt(valid, dice), '{"name": ')
  const id = at(await client.ask('POST', '/v1/characters', body), '/character_id')
  if (typeof id === 'string') client.characters.push(id)
}

async function replaceCharacter(client: Client): Promise<void> {
  const { dice } = client
  const [id, valid] = [dice.one(client.characters), configuration(dice, client)]
  if (id === undefined) return
  await client.ask('PUT', `/v1/characters/${id}`, {
    name: dice.text(),
    ...(dice.percent(20) ? spoilt(valid, dice) : valid),
  })
}

async function readCharacters(client: Client): Promise<void> {
  const { dice } = client
  const id = dice.one(client.characters)
  if (id !== undefined) await client.ask('GET', `/v1/characters/${id}`)
  let token: Json | undefined = dice.percent(5) ? 'no-such-token' : undefined
  for (let page = dice.number(0, 3); page > 0; page -= 1) {
    const next = typeof token === 'string' ? `&page_token=${encodeURIComponent(token)}` : ''
    token = at(
      await client.ask('GET', `/v1/characters?page_size=${dice.pick(1, 2, 50, 200)}${next}`),
      '/next_page_token',
    )
    if (typeof token !== 'string' || token === '') return
  }
}

async function deleteCharacter(client: Client): Promise<void> {
  const { dice, characters } = client
  const id = characters.length > 5 ? dice.one(characters) : undefined
  if (id === undefined) return
  await client.ask('DELETE', `/v1/characters/${id}`)
  // One that is forgotten to be gone is asked for again.
  if (dice.percent(70)) characters.splice(characters.indexOf(id), 1)
}

async function upload(client: Client): Promise<void> {
  const { dice } = client
  const bytes = medium(dice.pick('speech.wav', 'speech.mp3', 'short.wav', 'empty.wav'))
  const type = dice.pick('audio/wav', 'audio/wav', 'audio/mpeg', 'text/plain')
  const id = at(await client.upload(dice.percent(10) ? 'upload' : 'file', bytes, type), '/file_id')
  if (typeof id === 'string') client.files.push(id)
}

async function cloneVoice(client: Client): Promise<void> {
  const { dice } = client
  const file_id = dice.percent(10) ? 'file_aud_none' : dice.one(client.files)
  if (file_id === undefined) return
  const name = dice.pick('v', 'x'.repeat(128), 'x'.repeat(129), '')
  const body = { name, file_id, ...dice.maybe(50, () => ({ language: dice.pick('en', 'zh', 'xx', 'fil') })) }
  const id = at(await client.ask('POST', '/v1/voices', body), '/voice_id')
  if (typeof id === 'string') client.voices.push(id)
}

async function readVoices(client: Client): Promise<void> {
  const id = client.dice.one(client.voices)
  await client.ask('GET', '/v1/voices')
  if (id !== undefined) await client.ask('GET', `/v1/voices/${id}`)
}

async function createWorld(client: Client): Promise<void> {
  const body = { ...world(client.dice), ...client.key() }
  for (const data of await repeated(client, worldSessions, body)) {
    const id = at(data, '/session_id')
    if (typeof id === 'string') client.worlds.push(id)
  }
}

async function lookAfterWorld(client: Client): Promise<void> {
  const { dice, worlds } = client
  const id = dice.one(worlds)
  if (id === undefined) return
  const key = dice.maybe(50, () => ({ idempotency_key: `w-${dice.number(1, 20)}` }))
  const deed = dice.pick('get', 'get', 'client-secrets', 'close')
  if (deed === 'get') return void (await client.ask('GET', `${worldSessions}/${id}`))
  if (deed === 'close' && worlds.length < 3) return
  await client.ask('POST', `${worldSessions}/${id}/${deed}`, key)
  if (deed === 'close' && dice.percent(70)) worlds.splice(worlds.indexOf(id), 1)
}
