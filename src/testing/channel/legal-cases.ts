import { after, all, before, type Change, drop, edit, move, set, type Steps } from './steps.ts'
import { applied, come, failed, message, refused, resource, state } from './talk.ts'
import { textResponses } from './text-responses.ts'
import { textState } from './text-state.ts'
import { videoResponses, videoState } from './video.ts'

/** Something that a correct service may do: as a dialogue for the rules, and as a service for the scenarios. */
export interface LegalCase {
  readonly what: string
  /** A dialogue in which nothing is broken, and what makes it one with such a service. */
  readonly steps: Steps
  readonly change: Change
  /** Variations of the reference target that behave so. */
  readonly variations: readonly string[]
  /** Scenarios in which that shows. */
  readonly scenarios: readonly string[]
}

const shown = (tag: string, mode: string, avatar: string, image: string | null = null): Change =>
  set(`${tag}.updated`, { session: state(mode, avatar, image) })
/** What was refused is acknowledged, and fails. */
const failing = (id: string, mode: string, avatar: string, image: string | null): Change =>
  all(
    drop(`${id}.error`),
    after(id, ...applied(id, {}, state(mode, avatar, image)).slice(1)),
    set(`${id}.done`, { status: 'failed' }),
  )
const textual = (id: string, text: string): Change =>
  all(
    set(`${id}.item.done`, { item: message(`m-${id}`, 'assistant', text, { status: 'incomplete' }) }),
    set(`${id}.done`, { response: resource(`r-${id}`, 'cancelled', [message(`m-${id}`, 'assistant', text)]) }),
  )
const told = (id: string, text: string): Change =>
  before(
    `${id}.item.done`,
    come('told', 'response.output_text.done', { response_id: `r-${id}`, item_id: `m-${id}`, output_index: 0, text }),
  )

const inText = ['control-channel.session-update'] as const
const inVideo = ['control-channel.session-update-in-video'] as const
const speaking = ['control-channel.speech', 'control-channel.scheduling'] as const

const stateCases: readonly LegalCase[] = [
  {
    what: 'errors that name nothing',
    steps: textState,
    change: edit('u3.error', (event) => ({ ...event, error: { type: 'x', message: '' } })),
    variations: ['error-codes-missing'],
    scenarios: [...inText, 'control-channel.errors'],
  },
  {
    what: 'updates that are not superseded',
    steps: textState,
    change: set('u9.done', { status: 'completed', reason: undefined }),
    variations: ['updates-not-superseded'],
    scenarios: inText,
  },
  {
    what: 'an end that comes after the next acknowledgement',
    steps: textState,
    change: move('u9.done', 'u10.updated'),
    variations: ['updates-not-superseded', 'updates-slow'],
    scenarios: inText,
  },
  {
    what: 'a superseded update of which only its end is told',
    steps: textState,
    change: drop('u9.updated'),
    variations: ['superseded-unapplied'],
    scenarios: inText,
  },
  {
    what: 'a superseded update that is acknowledged once it has ended',
    steps: textState,
    change: move('u9.updated', 'u9.done'),
    variations: ['superseded-acknowledged-late'],
    scenarios: inText,
  },
  {
    what: 'a superseded update that is taken back',
    steps: textState,
    change: (same) => same,
    variations: ['superseded-undone'],
    scenarios: inText,
  },
  {
    what: 'a failed update that is taken back',
    steps: videoState,
    change: all(set('u1.done', { status: 'failed' }), shown('u2', 'video_avatar', 'guide', 'g1')),
    variations: ['failed-updates-undone'],
    scenarios: inVideo,
  },
  {
    what: 'an update whose image does not resolve and that fails in the end',
    steps: videoState,
    change: failing('f1', 'video_avatar', 'guide', 'zzz'),
    variations: ['images-checked-late'],
    scenarios: [...inVideo, 'control-channel.scripts-in-video'],
  },
  {
    what: 'an acknowledgement that shows what a failing update leaves',
    steps: videoState,
    change: failing('f4', 'video_avatar', 'guide', 'g2'),
    variations: ['images-checked-late-unshown'],
    scenarios: inVideo,
  },
  {
    what: 'a failed update whose avatar stays',
    steps: videoState,
    change: all(
      failing('f4', 'video_avatar', 'plain', null),
      shown('u12', 'video_avatar', 'plain', null),
      set('u12.done', { status: 'failed' }),
    ),
    variations: ['images-checked-late-kept'],
    scenarios: inVideo,
  },
  {
    what: 'a failing update that an error names, too',
    steps: videoState,
    change: all(failing('f3', 'video_avatar', 'guide', 'bare'), before('f3.done', failed('f3'))),
    variations: ['images-checked-late-with-error'],
    scenarios: inVideo,
  },
  {
    what: 'a failed update that is not acknowledged',
    steps: videoState,
    change: all(failing('f2', 'video_avatar', 'guide', 'h1'), drop('f2.updated')),
    variations: ['failed-updates-unacknowledged'],
    scenarios: inVideo,
  },
  {
    what: 'a null image that fails',
    steps: videoState,
    change: all(drop('u3.updated', 'u3.done'), after('u3', failed('u3'))),
    variations: ['cleared-image-fails'],
    scenarios: inVideo,
  },
  {
    what: 'null after null',
    steps: videoState,
    change: shown('u3', 'video_avatar', 'guide', null),
    variations: ['null-image-shown'],
    scenarios: inVideo,
  },
  {
    what: 'a mode named again that derives the image',
    steps: videoState,
    change: all(
      edit('u2', (event) => ({ ...event, session: { mode: 'video_avatar' } })),
      shown('u2', 'video_avatar', 'guide', 'g1'),
    ),
    variations: ['image-derived-anew'],
    scenarios: inVideo,
  },
  {
    what: 'an image that is named in text and kept for video',
    steps: videoState,
    change: all(
      edit('u6', (event) => ({ ...event, session: { mode: 'text_chat', source_image_id: 'g2' } })),
      shown('u7', 'video_avatar', 'guide', 'g2'),
    ),
    variations: ['image-named-in-text-held'],
    scenarios: inVideo,
  },
  {
    what: 'an image that cannot be had just then',
    steps: videoState,
    change: before('u11', ...refused('tried', 'session.update', { session: { source_image_id: 'g2' } })),
    variations: ['update-media-unreached-at-times'],
    scenarios: [...inVideo, 'control-channel.scripts-in-video'],
  },
  {
    what: 'another avatar in video that needs an image',
    steps: videoState,
    change: all(drop('u4.updated', 'u4.done'), after('u4', failed('u4'))),
    variations: ['switch-needs-image'],
    scenarios: [...inVideo, 'control-channel.scripts-in-video'],
  },
  {
    what: 'an avatar that stays unselected beside what cannot be changed',
    steps: textState,
    change: after('u8.done', ...refused('u11', 'session.update', { session: { active_avatar_id: 'host', tools: [] } })),
    variations: ['updates-of-fixed-fields-refused'],
    scenarios: [...inText, 'control-channel.tools'],
  },
]

const responseCases: readonly LegalCase[] = [
  {
    what: 'no name of the request',
    steps: textResponses,
    change: all(
      ...['s1', 's2', 's4', 'g1', 'g2', 'c1'].map((id) => set(`${id}.created`, { request_event_id: undefined })),
    ),
    variations: ['optional-fields-missing'],
    scenarios: speaking,
  },
  {
    what: 'an empty first delta',
    steps: textResponses,
    change: before(
      's1.delta1',
      come('x', 'response.output_text.delta', { response_id: 'r-s1', item_id: 'm-s1', output_index: 0, delta: '' }),
    ),
    variations: ['empty-first-delta'],
    scenarios: speaking,
  },
  {
    what: 'an item that is announced at its end',
    steps: textResponses,
    change: all(move('s1.item', 's1.item.done'), move('g1.item', 'g1.done')),
    variations: ['items-announced-late'],
    scenarios: speaking,
  },
  {
    what: 'the end of an interrupted response after the next start',
    steps: textResponses,
    change: all(move('n1.done', 'n2.created'), move('n1.item.done', 'n2.created')),
    variations: ['cuts-told-late'],
    scenarios: speaking,
  },
  {
    what: 'a pending response that starts before the end of the active one',
    steps: textResponses,
    change: move('q1.done', 'q3.created'),
    variations: ['pending-before-done-in-text'],
    scenarios: ['control-channel.pending'],
  },
  {
    what: 'a final text of a cut item',
    steps: textResponses,
    change: told('c1', 'Once upon a time '),
    variations: ['cut-text-done'],
    scenarios: speaking,
  },
  {
    what: 'a cut item of which less was spoken than was streamed',
    steps: textResponses,
    change: all(textual('c1', 'Once upon '), told('c1', 'Once upon ')),
    variations: ['cut-text-as-spoken'],
    scenarios: speaking,
  },
  {
    what: 'a cut item of which more was generated than was streamed',
    steps: textResponses,
    change: all(textual('c1', 'Once upon a time there was '), told('c1', 'Once upon a time there was ')),
    variations: ['cut-text-as-generated'],
    scenarios: speaking,
  },
  {
    what: 'a cut item that is trimmed in the end',
    steps: textResponses,
    change: set('c1.done', { response: resource('r-c1', 'cancelled', [message('m-c1', 'assistant', 'Once ')]) }),
    variations: ['cut-item-trimmed-later'],
    scenarios: speaking,
  },
  {
    what: 'responses without details',
    steps: textResponses,
    change: edit('s1.created', (event) => ({ ...event, response: { id: 'r-s1', status: 'in_progress' } })),
    variations: ['details-left-out'],
    scenarios: speaking,
  },
  {
    what: 'rendering that starts before the item is announced',
    steps: videoResponses,
    change: move('s1.started', 's1.created'),
    variations: ['render-first'],
    scenarios: ['control-channel.speech-in-video'],
  },
]

/** Each of them is judged twice. */
export const legalCases: readonly LegalCase[] = [...stateCases, ...responseCases]
