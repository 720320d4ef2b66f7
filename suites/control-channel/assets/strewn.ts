import { strewn } from '../events/stray.ts'
import { claiming } from '../step.ts'
import type { Controls } from './add.ts'
import { add } from './additions.ts'

/** "Clients and servers ignore fields they do not recognize": in assets of every kind, and around them. */
export const addStrewn = claiming({ message: 'unknown-field-ignored unknown-nested-field-ignored' }).step(
  async (talk, { speech, visual, image, audio }: Controls) => {
    const { image_url = '', audio_url = '' } = talk.context.profile.media ?? {}
    const all = [
      [speech, 'speech_text', { text: 'Mind the step.' }],
      [visual, 'visual_prompts', { text: 'Looks back.' }],
      [image, 'images', { url: image_url }],
      [audio, 'audio', { url: audio_url }],
    ] as const
    for (const [control, kind, asset] of all) {
      if (control === undefined) continue
      const assets = { [kind]: [{ asset_id: talk.context.id('strewn'), ...asset }] }
      const accepted = ['message.unknown-field-ignored', 'message.unknown-nested-field-ignored'] as const
      await add(talk, 'asset.add', strewn({ assets }), { accepted, given: [control] })
    }
    // Whether the session was full by then, for one kind or another.
    for (const [control, kind, asset] of all) {
      if (control === undefined) continue
      await add(talk, 'asset.add', { assets: { [kind]: [{ asset_id: talk.context.id('plain'), ...asset }] } })
    }
  },
)
