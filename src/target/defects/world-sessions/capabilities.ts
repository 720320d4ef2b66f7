import { change, omit, put } from '#target/overrides/changes'
import { drop, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'
import { blocksOfType, onMade, refuseWorld } from '../tools/world-sessions.ts'

const shown = (path: string, value: unknown) => put(`capabilities.${path}`, value)

export const capabilitiesDefects = defectsOf('world-sessions.capabilities', {
  'object: Capabilities come as a list.': onMade(change('capabilities', (all) => Object.keys(Object(all)))),
  'event-content-types: The types of Event blocks are told in one string.': onMade(
    shown('event_content_types', 'input_text,input_reference'),
  ),
  'reference-content-types: The types of Reference blocks are told as an object.': onMade(
    shown('reference_content_types', { input_text: true, input_image: true, input_audio: true }),
  ),
  'event-handling: The handling mode is no list.': onMade(shown('event_handling', 'steer')),
  'event-handling~missing: No handling mode is told.': onMade(omit('capabilities.event_handling')),
  'live-audio-supported: Live audio is supported in words.': onMade(shown('live_audio.supported', 'yes')),
  'live-audio-interpretation: How live audio is interpreted is not told.': onMade(
    omit('capabilities.live_audio.interpretation'),
  ),
  'runtime-references: Whether references can be added later is told by a number.': onMade(
    shown('runtime_references', 0),
  ),
  'event-cancel: Whether Events can be cancelled is null.': onMade(shown('event_cancel', null)),
  'continuation-hold: Whether a session can be held is not told.': onMade(omit('capabilities.continuation.hold')),
  'continuation-resume: Whether a session can be resumed is told in words.': onMade(
    shown('continuation.resume', 'true'),
  ),
  'continuation-automatic: Whether a session can start on its own is told by a number.': onMade(
    shown('continuation.automatic', 1),
  ),
  'reconnect-snapshot: There is no snapshot after a reconnect.': set('world.capabilities.reconnect.snapshot', false),
  'reconnect-event-replay: Missed events are replayed.': set('world.capabilities.reconnect.event_replay', true),
  'max-event-bytes: The size of an Event is told with a unit.': onMade(shown('limits.max_event_bytes', '64KB')),
  'max-references: The number of references is below zero for none.': onMade(shown('limits.max_references', -1)),
  'max-reference-images: The number of images is null.': onMade(shown('limits.max_reference_images', null)),
  'max-references-accepted: The last reference that the limit allows is refused.': refuseWorld(
    ({ references, capabilities: { limits } }) => references.length >= limits.max_references,
  ),
  'above-max-references-rejected: One reference more than the limit is accepted.': drop(
    'world.validations',
    'references-too-many',
  ),
  'above-max-references-rejected~dropped: References above the limit are dropped.': [
    drop('world.validations', 'references-too-many'),
    ({ world }) => {
      const { references } = world.create
      world.create.references = (body) => references(body).slice(0, world.capabilities.limits.max_references)
    },
  ],
  'max-reference-images-accepted: The last image that the limit allows is refused.': refuseWorld(
    (input) => blocksOfType(input, 'input_image').length >= input.capabilities.limits.max_reference_images,
  ),
  'max-reference-images-accepted~half: The limit of images that is told is twice the one that counts.': (b) =>
    onMade(shown('limits.max_reference_images', b.world.capabilities.limits.max_reference_images * 2))(b),
  'above-max-reference-images-rejected: One image more than the limit is accepted.': drop(
    'world.validations',
    'reference-images-too-many',
  ),
})
