import { pickKey } from '#scenario/author/pick-key'
import { scenario } from '#scenario/author/scenario'
import { beginAndClose, mustSave, needsVideo, replace } from '../acts.ts'
import { videoCharacter } from '../bodies.ts'

/** The transport that a start asks for over none that is saved, and one that is saved and not asked for again. */
export const transport = scenario({
  id: 'characters.transport',
  needs: { ...needsVideo, abilities: [...needsVideo.abilities, 'rtc_b'] },
  observes: [
    'characters.session.transport-overridden',
    'characters.session.delivery-empty-keeps',
    'characters.session.response-shape',
  ],
  price: { requests: { same_workspace: 8 }, typical: 7, sessions: { same_workspace: 1 } },
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const delivery = { media: { transport: 'rtc_b' } }
    const character_id = await mustSave(c, videoCharacter(c, 'rtc-b'), { key })
    await beginAndClose(c, { character_id, delivery }, { key })
    await replace(c, character_id, { ...videoCharacter(c, 'rtc-b'), delivery }, { key })
    await beginAndClose(c, { character_id, delivery: {} }, { key })
  },
})
