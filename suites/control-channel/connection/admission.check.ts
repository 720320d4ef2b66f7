import type { Context, OpenOptions, OpenSession } from '#scenario/author/context'
import { waitOutLag } from '#scenario/author/wait-lag'
import type { Condition } from '#trace/claim'
import { all, equals, event, inEvent, value } from '#trace/conditions'
import { addOnce, speechTexts } from '../assets/additions.ts'
import { guide, host, textChat, userMessage } from '../bodies.ts'
import { given, isTold, onlyIf } from '../expectation.ts'
import { makeItem, remove, retrieve, seek } from '../items/items.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import type { Scene } from '../scene.ts'
import { channelScenario, claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { activate, look, update } from '../updates/updates.ts'
import { keepForeignOut } from './foreign.ts'
import { nearMisses, secretOf, urlOf } from './secrets.ts'
import { seeItClose } from './session-closed.ts'

/** An item that is deleted before the connection ends. */
async function forget(talk: Talk): Promise<{ id: string; deleted: Condition }> {
  const { id = '' } = await makeItem(talk, userMessage('Forget the red door.'))
  const { confirmed } = await remove(talk, id)
  return { id, deleted: confirmed }
}

/** What the update of the connection that ended came to. */
interface Left {
  readonly settled: Condition
  readonly shown: Condition
}

const findAllAgain = claiming({
  'session-update-done': 'not-replayed',
  secret: 'reconnect-keeps-conversation reconnect-keeps-state',
}).step(async (talk, itemId: string, { settled, shown }: Left): Promise<Condition> => {
  const silent = talk.never(event('session.update.done'), talk.opened, talk.after(1))
  talk.expect({ 'session-update-done.not-replayed': given(settled, silent) })
  const { confirmed } = await retrieve(talk, itemId, (it) => ({
    'secret.reconnect-keeps-conversation': it.confirmed,
  }))
  await look(talk, (it) => ({
    'secret.reconnect-keeps-state': onlyIf(
      [shown, it.confirmed],
      it.shows({ active_avatar_id: host, mode: 'text_chat' }),
    ),
  }))
  return confirmed
})

/** An id like any other: a service that looks it up among the members of an object finds it there unasked. */
const inherited = 'constructor'

/** A session to which somebody comes back takes additions as before. Nothing was added to it yet, so that it is not full. */
const addAfterReturn = claiming({
  'avatar-add': 'accepted confirmed confirmed-once',
  'asset-add': 'speech-text-accepted confirmed confirmed-once',
}).step(async (talk, itemId: string) => {
  const latecomer = { avatar_id: inherited, instructions: 'You come late.' }
  await addOnce(talk, 'avatar.add', { avatars: [latecomer] }, itemId, { accepted: 'avatar-add.accepted' })
  const parting = speechTexts({ [inherited]: 'Until we meet again.' })
  await addOnce(talk, 'asset.add', parting, itemId, { accepted: 'asset-add.speech-text-accepted' })
})

/** What has no `type` is told as before, too. */
const missTypeAgain = claiming({ error: 'invalid-event-code' }).step(async (talk, found: Condition) => {
  await talk.fault({ event_id: talk.context.id('faulty'), session: { active_avatar_id: host } }, (it) => {
    const code = inEvent(talk.event(event('error'), it.at), '/error/code')
    const premises = [found, it.rejected, ...isTold(code)]
    return { 'error.invalid-event-code': onlyIf(premises, equals(code, value('invalid_event'))) }
  })
})

const admissionRows = rows({
  admission: 'query-token-admitted bearer-header-admitted',
  secret: [
    'valid-while-open reconnect-admitted reconnect-after-drop-admitted reconnect-other-form-admitted',
    'refused-after-closed bearer-refused-after-closed',
  ],
  'session-closed': 'connections-disconnected session-really-ends',
  'item-delete': 'gone',
})

/** Comes in, leaves and comes back, in one form and in the other; the last connection stays open. */
const comeIn = claiming({}, admissionRows, findAllAgain, addAfterReturn, missTypeAgain).sceneStep(
  async (scene, session: OpenSession, note: string) => {
    const first = await scene.expectAdmitted(session, ['admission.query-token-admitted', 'secret.valid-while-open'])
    const { settled, confirmed: shown } = await activate(first, host)
    const { id: itemId = '' } = await makeItem(first, userMessage(note))
    const forgotten = await forget(first)
    await first.channel.close()

    const second = await scene.expectAdmitted(session, ['secret.reconnect-admitted'])
    const found = await findAllAgain(second, itemId, { settled, shown })
    // Before anything else is refused: an `error` may come late, and name nothing.
    await missTypeAgain(second, found)
    await seek(second, forgotten.id, itemId, ({ nothing, unseen }) => ({
      'item-delete.gone': given(forgotten.deleted, all(nothing, unseen)),
    }))
    await addAfterReturn(second, itemId)
    await retrieve(second, itemId)
    await second.channel.drop()

    const dropped = ['secret.reconnect-admitted', 'secret.reconnect-after-drop-admitted'] as const
    const third = await scene.expectAdmitted(session, dropped)
    await retrieve(third, itemId)
    await third.channel.close()

    const otherForm = ['secret.reconnect-admitted', 'secret.reconnect-other-form-admitted'] as const
    const byHeader = ['admission.bearer-header-admitted', ...otherForm] as const
    const fourth = await scene.expectAdmitted(session, byHeader, { credential: 'header' })
    await retrieve(fourth, itemId)
    await fourth.channel.close()

    const talk = await scene.expectAdmitted(session, [...otherForm, 'secret.valid-while-open'])
    await activate(talk, guide)
    return { talk, itemId, found }
  },
)

const wrong = rows({
  admission: [
    'without-credential-refused wrong-token-refused wrong-bearer-refused empty-token-refused near-miss-token-refused',
    'client-secret-parameter-refused api-key-token-refused api-key-bearer-refused unknown-session-refused',
  ],
})

/** Credentials that are none. */
function wrongCredentials(
  context: Context,
  session: OpenSession,
): readonly (readonly [row: (typeof wrong)[number], options: OpenOptions])[] {
  const secret = secretOf(session)
  const [never, other] = [context.id('never-issued-secret'), context.id('no-session')]
  const url = urlOf(session)
  const elsewhere = url.replace(/([?&]session_id=)[^&]*/, (_, name: string) => name + encodeURIComponent(other))
  const parameter = `${url}${url.includes('?') ? '&' : '?'}client_secret=${encodeURIComponent(secret)}`
  return [
    ['admission.without-credential-refused', { credential: 'none' }],
    ['admission.wrong-token-refused', { secret: never }],
    ['admission.wrong-bearer-refused', { secret: never, credential: 'header' }],
    ['admission.empty-token-refused', { secret: '' }],
    ...nearMisses(secret).map((near) => ['admission.near-miss-token-refused', { secret: near }] as const),
    ...['', ...nearMisses(secret)].map(
      (near) => ['admission.wrong-bearer-refused', { secret: near, credential: 'header' }] as const,
    ),
    ['admission.client-secret-parameter-refused', { url: parameter, credential: 'none' }],
    ['admission.api-key-token-refused', { api_key: 'primary' }],
    ['admission.api-key-bearer-refused', { api_key: 'primary', credential: 'header' }],
    ...(elsewhere === url ? [] : [['admission.unknown-session-refused', { url: elsewhere }] as const]),
  ]
}

/** Whether a second connection is let in beside the first one: a service may allow one at a time. */
async function takesSecond(scene: Scene, session: OpenSession): Promise<boolean> {
  const second = await scene.expectAdmitted(session)
  // One that is turned away late is open at first; what changes nothing may go without an answer.
  await update(second, { active_avatar_id: host }, { told: 'by-avatar' })
  const answered = second.channel.state === 'open'
  await second.channel.close()
  return answered
}

/** Where one connection is taken at a time, what is wrong would be refused for being the second one. */
async function leaveAlone({ channel, context }: Talk): Promise<void> {
  await channel.close()
  await waitOutLag(context, context.timeouts.lag_ms)
}

/** Who is admitted to a control channel, before and after its session is closed. */
export const admission = channelScenario({
  id: 'control-channel.admission',
  claims: wrong,
  steps: [comeIn, seeItClose, keepForeignOut, asking],
  observes: rows({ 'session-closed': 'session-id reason-string once' }),
  observes_elsewhere: ['avatar-sessions.close.reaches-closed'],
  price: { requests: { primary: 8 }, typical: 5, sessions: { primary: 1 } },
  async drive(scene, context) {
    const session = await context.create(textChat())
    const note = 'Remember the blue door.'
    const { talk, itemId, found } = await comeIn(scene, session, note)
    if (!(await takesSecond(scene, session))) await leaveAlone(talk)
    for (const [row, options] of wrongCredentials(context, session)) {
      await scene.expectRefused(session, [row], { ...options, control: talk.number })
    }
    // All these failures took nothing from the secret.
    await talk.channel.close()
    const still = await scene.expectAdmitted(session, ['secret.valid-while-open'])
    await update(still, { active_avatar_id: guide }, { told: 'by-id' })
    await seeItClose(scene, session, still)
    const next = await context.create(textChat())
    await keepForeignOut(scene, { mine: next, other: session, itemId, note, found })
  },
})
