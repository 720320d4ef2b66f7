import type { Scenario } from '../../src/scenario/scenario.ts'
import { beginAndClose, keyOf, mustSave, needsVideo } from './acts.ts'
import { videoCharacter } from './bodies.ts'

/** The transport that a start asks for, over one that is saved and over none. */
export const transport: Scenario = {
  id: 'characters.transport',
  needs: { ...needsVideo, abilities: [...needsVideo.abilities, 'rtc_b'] },
  proves: [
    'characters.session.transport-overridden',
    'characters.session.transport-override-replaces-saved',
    'characters.session.delivery-saved',
    'characters.session.delivery-empty-keeps',
  ],
  price: { requests: { same_workspace: 8 }, typical: 8, sessions: { same_workspace: 1 } },
  async drive(c) {
    const key = keyOf(c, 'same_workspace')
    const delivery = (name: 'rtc_a' | 'rtc_b') => ({ delivery: { media: { transport: name } } })
    const character_id = await mustSave(c, { ...videoCharacter(c, 'rtc-b'), ...delivery('rtc_b') }, { key })
    await beginAndClose(c, { character_id, ...delivery('rtc_a') }, { key })
    await beginAndClose(c, { character_id }, { key })
    await beginAndClose(c, { character_id, delivery: {} }, { key })
  },
}
