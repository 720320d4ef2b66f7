import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { all, event } from '#trace/conditions'
import { guide, host, textChat, userMessage } from '../bodies.ts'
import { claimForeign } from './foreign.ts'
import { makeItem, remove, retrieve, seek } from '../items/items.ts'
import { enter, type Knock, knock, nearMisses, secretOf, urlOf } from './knock.ts'
import { rows } from '../rows.ts'
import { seeItClose } from './session-closed.ts'
import type { Talk } from '../talk.ts'
import { look, update } from '../updates/updates.ts'

/** Who is admitted to a control channel, before and after its session is closed. */
export const admission: Scenario = {
  id: 'control-channel.admission',
  proves: [
    ...rows(
      'response-created.request-event-id-names-request',
      'admission.query-token-admitted',
      'admission.bearer-header-admitted',
      'admission.without-credential-refused',
      'admission.wrong-token-refused',
      'admission.wrong-bearer-refused',
      'admission.empty-token-refused',
      'admission.near-miss-token-refused',
      'admission.client-secret-parameter-refused',
      'admission.api-key-token-refused',
      'admission.api-key-bearer-refused',
      'admission.unknown-session-refused',
      'secret.reconnect-admitted',
      'secret.reconnect-after-drop-admitted',
      'secret.reconnect-other-form-admitted',
      'secret.reconnect-keeps-conversation',
      'secret.reconnect-keeps-state',
      'secret.valid-while-open',
      'secret.refused-after-closed',
      'secret.bearer-refused-after-closed',
      'secret.other-session-token-refused',
      'secret.other-session-bearer-refused',
      'item-delete.gone',
      'isolation.items-not-shared',
      'isolation.events-not-shared',
      'session-closed.session-id',
      'session-closed.reason-string',
      'session-closed.session-really-ends',
      'session-closed.once',
      'session-closed.connections-disconnected',
      'session-update-done.not-replayed',
    ),
    'avatar-sessions.close.reaches-closed',
  ],
  price: { requests: { primary: 8 }, typical: 5, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const note = 'Remember the blue door.'
    const { talk, itemId, found } = await comeIn(context, session, note)
    for (const one of strangers(context, session)) await knock(context, session, one, talk.number)
    // All these failures took nothing from the secret.
    await talk.channel.close()
    const still = await enter(context, session, ['secret.valid-while-open'])
    await update(still, { active_avatar_id: guide }, { told: 'by-id' })
    await seeItClose(context, session, still)
    const next = await context.create(textChat())
    await claimForeign(context, { mine: next, other: session, itemId, note, found })
  },
}

/** Comes in, leaves and comes back, in one form and in the other; the last connection stays open. */
async function comeIn(
  context: Context,
  session: OpenSession,
  note: string,
): Promise<{ talk: Talk; itemId: string; found: Condition }> {
  const first = await enter(context, session, ['admission.query-token-admitted', 'secret.valid-while-open'])
  const { settled } = await update(first, { active_avatar_id: host })
  const { id: itemId = '' } = await makeItem(first, userMessage(note))
  const forgotten = await forget(first)
  await first.channel.close()

  const second = await enter(context, session, ['secret.reconnect-admitted'])
  const found = await findAllAgain(second, itemId, settled)
  await seek(second, forgotten.id, itemId, ({ nothing, unseen }) => {
    second.claim('item-delete.gone', all(nothing, unseen), { given: [forgotten.deleted] })
  })
  await second.channel.drop()

  const third = await enter(context, session, ['secret.reconnect-admitted', 'secret.reconnect-after-drop-admitted'])
  await retrieve(third, itemId)
  await third.channel.close()

  const byHeader = [
    'admission.bearer-header-admitted',
    'secret.reconnect-admitted',
    'secret.reconnect-other-form-admitted',
  ] as const
  const fourth = await enter(context, session, byHeader, { credential: 'header' })
  await retrieve(fourth, itemId)
  await fourth.channel.close()

  const again = [
    'secret.reconnect-admitted',
    'secret.reconnect-other-form-admitted',
    'secret.valid-while-open',
  ] as const
  const talk = await enter(context, session, again)
  await update(talk, { active_avatar_id: guide })
  return { talk, itemId, found }
}

/** An item that is deleted before the connection ends. */
async function forget(talk: Talk): Promise<{ id: string; deleted: Condition }> {
  const { id = '' } = await makeItem(talk, userMessage('Forget the red door.'))
  const { confirmed } = await remove(talk, id)
  return { id, deleted: confirmed }
}

async function findAllAgain(talk: Talk, itemId: string, settled: Condition): Promise<Condition> {
  const silent = talk.never(event('session.update.done'), talk.opened, talk.after(1))
  talk.claim('session-update-done.not-replayed', silent, { given: [settled] })
  const { confirmed } = await retrieve(talk, itemId, (it) => {
    talk.claim('secret.reconnect-keeps-conversation', it.confirmed)
  })
  await look(talk, (it) => {
    const options = { given: [it.confirmed], choice: true }
    talk.claim('secret.reconnect-keeps-state', it.shows({ active_avatar_id: host, mode: 'text_chat' }), options)
  })
  return confirmed
}

/** Credentials that are none. */
function strangers(context: Context, session: OpenSession): readonly Knock[] {
  const secret = secretOf(session)
  const [never, other] = [context.id('never-issued-secret'), context.id('no-session')]
  const url = urlOf(session)
  const elsewhere = withSession(url, other)
  const unknown = ['admission.unknown-session-refused'] as const
  const parameter = `${url}${url.includes('?') ? '&' : '?'}client_secret=${encodeURIComponent(secret)}`
  return [
    { rows: ['admission.without-credential-refused'], options: { credential: 'none' } },
    { rows: ['admission.wrong-token-refused'], options: { secret: never } },
    { rows: ['admission.wrong-bearer-refused'], options: { secret: never, credential: 'header' } },
    { rows: ['admission.empty-token-refused'], options: { secret: '' } },
    ...nearMisses(secret).map(
      (near): Knock => ({ rows: ['admission.near-miss-token-refused'], options: { secret: near } }),
    ),
    { rows: ['admission.client-secret-parameter-refused'], options: { url: parameter, credential: 'none' } },
    { rows: ['admission.api-key-token-refused'], options: { api_key: 'primary' } },
    { rows: ['admission.api-key-bearer-refused'], options: { api_key: 'primary', credential: 'header' } },
    ...(elsewhere === url ? [] : [{ rows: unknown, options: { url: elsewhere } }]),
  ]
}

/** The control URL with another `session_id`. */
function withSession(url: string, id: string): string {
  return url.replace(/([?&]session_id=)[^&]*/, (_, name: string) => name + encodeURIComponent(id))
}
