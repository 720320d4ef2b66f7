import { https, list, nonempty, oneOf, shape, str } from './reading.ts'

const audio = shape({ asset_id: nonempty, url: https }, { mime_type: oneOf('audio/wav', 'audio/mpeg') })

/** Create-time assets (2.4): a visual prompt carries `prompt`. */
export const createAssets = shape(
  {},
  {
    audio: list(audio),
    speech_text: list(shape({ asset_id: nonempty, text: nonempty }, {})),
    visual_prompts: list(shape({ asset_id: nonempty, prompt: nonempty }, {})),
  },
)

const spoken = shape({ asset_id: nonempty, text: nonempty }, { format: str })

/** `asset.add` (4.4): images too, and a visual prompt carries `text`. */
export const addedAssets = shape(
  {},
  {
    images: list(shape({ asset_id: nonempty, url: https }, { mime_type: str })),
    audio: list(audio),
    speech_text: list(spoken),
    visual_prompts: list(spoken),
  },
)
