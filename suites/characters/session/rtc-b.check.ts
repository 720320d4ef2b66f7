import type { Context, OpenSession } from '#scenario/author/context'
import { pickKey } from '#scenario/author/pick-key'
import { scenario } from '#scenario/author/scenario'
import type { KeyName } from '#spec/profile'
import type { JsonObject } from '#trace/json'
import { beginAndClose, mustSave, needsVideo, replace, tryBegin } from '../acts.ts'
import { videoCharacter } from '../bodies.ts'

/** The transport that a start asks for over none that is saved, and one that is saved and not asked for again. */
export const transport = scenario({
  id: 'characters.transport',
  needs: { ...needsVideo, abilities: [...needsVideo.abilities, 'rtc_b'] },
  observes: [
    'characters.session.transport-overridden',
    'characters.session.delivery-empty-keeps',
    'characters.session.response-shape',
    'avatar-sessions.delivery.rtc-b-channel-session-scoped',
  ],
  price: { requests: { same_workspace: 8 }, typical: 7, sessions: { same_workspace: 1 } },
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const delivery = { media: { transport: 'rtc_b' } }
    const character_id = await mustSave(c, videoCharacter(c, 'rtc-b'), { key })
    const first = await tryBegin(c, { character_id, delivery }, { key })
    await replace(c, character_id, { ...videoCharacter(c, 'rtc-b'), delivery }, { key })
    await beginBeside(c, { character_id, delivery: {}, idempotency_key: c.id('start') }, { key, first })
  },
})

/** What the second start is sent beside. */
interface Beside {
  readonly key: KeyName
  readonly first: OpenSession | undefined
}

/** Starts a session while another of the same character is open, where the workspace has room for both, and closes them. */
async function beginBeside(c: Context, body: JsonObject, { key, first }: Beside): Promise<void> {
  const exchange = c.exchange()
  const answer = await c.call('create-session-from-character', { exchange, key, body })
  if (first !== undefined) await c.close(first)
  if (answer.ok) await c.close(c.adopt(answer, key))
  else await beginAndClose(c, body, { exchange, key })
}
