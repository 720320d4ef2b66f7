import { waive } from '#target/behaviour/rules/waive'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { blocksOfType, onMade, refuseWorld } from './tools.ts'

const shown = (path: string, value: unknown) => put(`capabilities.${path}`, value)

const shapeDefects = defectsOf('world-sessions', {
  'capabilities.object': [
    'Capabilities come as a list.',
    (b) =>
      onMade(
        b,
        change('capabilities', (all) => Object.keys(Object(all))),
      ),
  ],
  'capabilities.event-content-types': [
    'The types of Event blocks are told in one string.',
    (b) => onMade(b, shown('event_content_types', 'input_text,input_reference')),
  ],
  'capabilities.reference-content-types': [
    'The types of Reference blocks are told as an object.',
    (b) => onMade(b, shown('reference_content_types', { input_text: true, input_image: true, input_audio: true })),
  ],
  'capabilities.event-handling': ['The handling mode is no list.', (b) => onMade(b, shown('event_handling', 'steer'))],
  'capabilities.event-handling~missing': [
    'No handling mode is told.',
    (b) => onMade(b, drop('capabilities.event_handling')),
  ],
  'capabilities.live-audio-supported': [
    'Live audio is supported in words.',
    (b) => onMade(b, shown('live_audio.supported', 'yes')),
  ],
  'capabilities.live-audio-interpretation': [
    'How live audio is interpreted is not told.',
    (b) => onMade(b, drop('capabilities.live_audio.interpretation')),
  ],
  'capabilities.runtime-references': [
    'Whether references can be added later is told by a number.',
    (b) => onMade(b, shown('runtime_references', 0)),
  ],
  'capabilities.event-cancel': [
    'Whether Events can be cancelled is null.',
    (b) => onMade(b, shown('event_cancel', null)),
  ],
  'capabilities.continuation-hold': [
    'Whether a session can be held is not told.',
    (b) => onMade(b, drop('capabilities.continuation.hold')),
  ],
  'capabilities.continuation-resume': [
    'Whether a session can be resumed is told in words.',
    (b) => onMade(b, shown('continuation.resume', 'true')),
  ],
  'capabilities.continuation-automatic': [
    'Whether a session can start on its own is told by a number.',
    (b) => onMade(b, shown('continuation.automatic', 1)),
  ],
  'capabilities.reconnect-snapshot': [
    'There is no snapshot after a reconnect.',
    ({ world }) => void (world.capabilities.reconnect.snapshot = false),
  ],
  'capabilities.reconnect-event-replay': [
    'Missed events are replayed.',
    ({ world }) => void (world.capabilities.reconnect.event_replay = true),
  ],
  'capabilities.max-event-bytes': [
    'The size of an Event is told with a unit.',
    (b) => onMade(b, shown('limits.max_event_bytes', '64KB')),
  ],
  'capabilities.max-references': [
    'The number of references is below zero for none.',
    (b) => onMade(b, shown('limits.max_references', -1)),
  ],
  'capabilities.max-reference-images': [
    'The number of images is null.',
    (b) => onMade(b, shown('limits.max_reference_images', null)),
  ],
})

const keptDefects = defectsOf('world-sessions', {
  'capabilities.max-references-accepted': [
    'The last reference that the limit allows is refused.',
    (b) => refuseWorld(b, ({ references, capabilities: { limits } }) => references.length >= limits.max_references),
  ],
  'capabilities.above-max-references-rejected': [
    'One reference more than the limit is accepted.',
    ({ world }) => waive(world.rules, 'references-too-many'),
  ],
  'capabilities.above-max-references-rejected~dropped': [
    'References above the limit are dropped.',
    ({ world }) => {
      const { references } = world.create
      waive(world.rules, 'references-too-many')
      world.create.references = (body) => references(body).slice(0, world.capabilities.limits.max_references)
    },
  ],
  'capabilities.max-reference-images-accepted': [
    'The last image that the limit allows is refused.',
    (b) =>
      refuseWorld(
        b,
        (input) => blocksOfType(input, 'input_image').length >= input.capabilities.limits.max_reference_images,
      ),
  ],
  'capabilities.max-reference-images-accepted~half': [
    'The limit of images that is told is twice the one that counts.',
    (b) => onMade(b, shown('limits.max_reference_images', b.world.capabilities.limits.max_reference_images * 2)),
  ],
  'capabilities.above-max-reference-images-rejected': [
    'One image more than the limit is accepted.',
    ({ world }) => waive(world.rules, 'reference-images-too-many'),
  ],
})

export const worldCapabilityDefects = [...shapeDefects, ...keptDefects]
