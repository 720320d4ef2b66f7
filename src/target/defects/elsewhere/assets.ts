import type { Behaviour } from '#target/behaviour/behaviour'
import type { AssetsInput } from '#target/behaviour/rules/assets'
import type { Rule } from '#target/behaviour/rules/rule'
import { defectsOf } from '../table.ts'
import { atEnds, type End, type Looked, narrowed, showLess } from './places.ts'

const KINDS = ['images', 'audio', 'speech_text', 'visual_prompts']

const fewer = (input: AssetsInput, end: End): AssetsInput => ({
  ...input,
  given: KINDS.reduce<unknown>((given, kind) => narrowed(given, kind, end), input.given),
})

const looked = (row: string, what: string, rule: (behaviour: Behaviour) => Rule<AssetsInput>): Looked => ({
  row,
  what,
  look: (behaviour, end) => showLess(rule(behaviour), (input) => fewer(input, end)),
})

/** Of several assets of a kind one end is held to the rules of 2.4. */
export const assetPlaceDefects = [
  ...defectsOf(
    'avatar-sessions',
    atEnds('asset', [
      looked('assets.audio-url-missing-rejected', 'a URL', ({ rules }) => rules.createAssets['audio-url-missing']),
      looked('assets.audio-url-not-https-rejected', 'https', ({ rules }) => rules.createAssets['audio-url-not-https']),
      looked(
        'assets.audio-mime-type-unknown-rejected',
        'its type',
        ({ rules }) => rules.createAssets['audio-type-unknown'],
      ),
      looked('assets.speech-text-missing-rejected', 'a text', ({ rules }) => rules.createAssets['speech-text-missing']),
      looked(
        'assets.visual-prompt-text-field-rejected',
        'a prompt',
        ({ rules }) => rules.createAssets['visual-prompt-missing'],
      ),
      looked('assets.id-missing-rejected', 'its id', ({ rules }) => rules.createAssets['asset-id-missing']),
    ]),
  ),
  ...defectsOf(
    'control-channel',
    atEnds('asset', [
      looked('asset-add.audio-url-missing-rejected', 'a URL', ({ rules }) => rules.addAssets['audio-url-missing']),
      looked('asset-add.audio-url-not-https-rejected', 'https', ({ rules }) => rules.addAssets['audio-url-not-https']),
      looked(
        'asset-add.audio-mime-type-unknown-rejected',
        'its type',
        ({ rules }) => rules.addAssets['audio-type-unknown'],
      ),
      looked('asset-add.speech-text-missing-rejected', 'a text', ({ rules }) => rules.addAssets['speech-text-missing']),
      looked(
        'asset-add.visual-prompt-text-missing-rejected',
        'a text',
        ({ rules }) => rules.addAssets['visual-prompt-missing'],
      ),
      looked('asset-add.image-url-missing-rejected', 'a URL', ({ rules }) => rules.addAssets['image-url-missing']),
      looked('asset-add.image-url-not-https-rejected', 'https', ({ rules }) => rules.addAssets['image-url-not-https']),
      looked('asset-add.id-missing-rejected', 'its id', ({ rules }) => rules.addAssets['asset-id-missing']),
      looked('asset-add.id-empty-rejected', 'an empty id', ({ rules }) => rules.addAssets['asset-id-empty']),
    ]),
  ),
]
