import { set, around, add } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { validation } from '#target/behaviour/validations/input-validation'
import type { WorldInput } from '#target/behaviour/world/input'
import { textOf, type JsonObject, objectAt } from '#target/wire'
import { onWorlds } from './tools.ts'
import { variationsOf } from '../table.ts'

const backwards = (value: unknown): unknown => (Array.isArray(value) ? value.toReversed() : value)

/** Changes the settings of live audio that come back. */
const onLiveAudio = (make: (audio: JsonObject) => JsonObject): Override =>
  around('world.create.liveInput', (liveInput) => (body) => {
    const shown = liveInput(body) ?? {}
    return { ...shown, audio: make(objectAt(shown, 'audio')) }
  })

/** 2.11 calls these values effective: what is in force may be other than what was asked for, and the answer says so. */
export const worldEffectiveVariations = variationsOf({
  'world-live-audio-adapted §2.11: Live audio is always transcribed, in a language without its region ("effective live input settings").':
    onLiveAudio((audio) => ({
      ...audio,
      transcription: true,
      language: textOf(audio['language'])?.split('-')[0] ?? 'auto',
    })),
  'world-live-audio-bare §2.11: Live audio is heard without transcription and in any language ("effective live input settings").':
    onLiveAudio((audio) => ({ ...audio, transcription: false, language: 'auto' })),
  'world-live-options-refused §7: Live audio takes neither a language nor a word about transcription (30004: "unsupported output or live-input option").':
    add(
      'world.validations',
      'live-option-unsupported',
      validation('4.5', 'live_input.audio', ({ audio }: WorldInput) => {
        return audio['language'] !== undefined || audio['transcription'] !== undefined
      }),
    ),
  'world-automatic-runs-manual §2.11: Every session starts manual, and says so ("Echo of effective `start_mode`").':
    set('world.create.startMode', () => 'manual'),
  'world-idle-least §2.11: No idle time is below eight seconds ("Echo of effective `start_mode`, `max_idle_ms`").':
    around(
      'world.create.maxIdleMs',
      (maxIdleMs) => (asked, byDefault, highest) => Math.max(8_000, maxIdleMs(asked, byDefault, highest)),
    ),
  'world-lifetime-least §8: No world session lasts less than two minutes ("is a request"; its bounds are not shown).':
    around(
      'world.create.seconds',
      (seconds) => (body, byDefault, highest) => Math.max(120, seconds(body, byDefault, highest)),
    ),
  'world-sets-in-another-order §2.11: References come back in another order than they were sent in, and Get shows lists of capabilities in another order than the create did (nothing orders them).':
    {
      concerns: /world/,
      override: onWorlds((data, operation) => {
        if (operation === 'create-world-session') return { ...data, references: backwards(data['references']) }
        if (operation !== 'get-world-session') return data
        const lists = ['event_content_types', 'reference_content_types', 'event_handling']
        const capabilities = objectAt(data, 'capabilities')
        return {
          ...data,
          references: backwards(data['references']),
          capabilities: {
            ...capabilities,
            ...Object.fromEntries(lists.map((name) => [name, backwards(capabilities[name])])),
          },
        }
      }),
    },
})
