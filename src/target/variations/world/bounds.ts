import { add, around, set, several } from '#target/overrides/operators'
import type { WorldInput } from '#target/behaviour/world/input'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Variation } from '#target/deviation'
import { objectAt, objectsAt, textOf } from '#target/wire'
import { variationsOf } from '../table.ts'

/** What a world create may hold, where the spec names no bounds. */
const boundVariations = variationsOf({
  'world-metadata-limited §4.5: Metadata have at most eight entries, with keys of 32 letters and values of 128.': add(
    'world.validations',
    'metadata-too-large',
    validation('4.5', 'metadata', ({ body }: WorldInput) => {
      const entries = Object.entries(objectAt(body, 'metadata'))
      return entries.length > 8 || entries.some(([key, value]) => key.length > 32 || String(value).length > 128)
    }),
  ),
  'world-prompts-limited §4.5: A creative prompt has at most four blocks, with five hundred letters together.': add(
    'world.validations',
    'prompt-too-long',
    validation('4.5', 'initial_prompt.content', ({ prompt }: WorldInput) => {
      const blocks = objectsAt(prompt, 'content')
      return blocks.length > 4 || blocks.map(({ text }) => textOf(text) ?? '').join('').length > 500
    }),
  ),
  'world-reference-names-plain §4.5: Names of references are identifiers of at most 32 letters.': add(
    'world.validations',
    'reference-name-not-plain',
    validation('4.5', 'references.name', ({ references }: WorldInput) =>
      references.some(({ name }) => typeof name === 'string' && !/^[a-z_][\w-]{0,31}$/iu.test(name)),
    ),
  ),
})

/** Media, usage and times. */
const runtimeVariations = variationsOf({
  'world-media-status-stays §3.3: The media status of a session that closes stays what it was ("Other transitions: not shown").':
    set('world.runtime.onClose', 'held'),
  'world-media-stalled-when-closed §3.3: The media of a session that closes are stalled ("Other transitions: not shown").':
    set('world.runtime.onClose', 'stalled'),
  'world-usage-ahead §2.11: Video and audio are generated a second and a half before they are shown, and count from then on.':
    set('world.runtime.usage', (ms) => ({ video: ms + 1500, audio: ms + 1400 })),
  'world-media-time-from-elsewhere §2.11: Media time does not begin with zero.': around(
    'world.runtime.mediaMs',
    (mediaMs) => (running) => mediaMs(running) + 86_400_000,
  ),
  'world-fps-fraction §2.11: World sessions have 23.976 frames a second (no type is given for `fps`).': set(
    'world.create.fps',
    23.976,
  ),
  'world-expiry-from-readiness §2.11: The lifetime begins when the session is ready; until then Get tells when it would end at the latest.':
    several(
      set('world.life.initial', () => 'provisioning'),
      set('world.life.provisioningMs', 700),
      around('world.views.got.expires_at', (expiresAt) => (scene) => {
        const text = textOf(expiresAt(scene)) ?? ''
        return scene.session.status === 'provisioning' ? text : new Date(Date.parse(text) + 700).toISOString()
      }),
    ),
})

export const worldBoundVariations: readonly Variation[] = [...boundVariations, ...runtimeVariations]
