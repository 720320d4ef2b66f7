import { drop, set, around, add, remembering, several } from '#target/overrides/operators'
import { splitEvent } from '#target/overrides/events'
import type { Override } from '#target/behaviour/behaviour'
import { imageOf, usable } from '#target/behaviour/create'
import type { Session } from '#target/sessions/session'
import { everyNth } from '../every-nth.ts'
import { validation } from '#target/behaviour/validations/input-validation'
import type { UpdateInput } from '#target/behaviour/validations/session-update'
import type { Resolution } from '#target/behaviour/update'
import { variationsOf } from '../table.ts'

const inVideo = ({ mode }: Resolution): boolean => mode === 'video_avatar'

/** "Fails in video mode if no usable image resolves." (4.4) */
const unresolved = (resolution: Resolution): boolean =>
  inVideo(resolution) && (resolution.sourceImage === undefined || !usable(resolution.sourceImage))

/** An update whose image does not resolve is acknowledged, and fails in the end. */
const failLate: Override = several(
  drop('validations.sessionUpdate', 'source-image-unknown', 'source-image-unresolved'),
  around(
    'update.outcome',
    (outcome) => (resolution) =>
      unresolved(resolution) ? { status: 'failed', reason: 'source_image_unresolved' } : outcome(resolution),
  ),
)

/** Another avatar in video, and no image beside it. */
const switches = ({ session, asked, resolution }: UpdateInput): boolean =>
  session.state.mode === 'video_avatar' &&
  inVideo(resolution) &&
  resolution.activeAvatarId !== session.state.activeAvatarId &&
  typeof asked['source_image_id'] !== 'string'

/** What 2.6 and 4.4 call fixed, named in an update. */
const namesFixed = ({ asked }: UpdateInput): boolean =>
  ['voice', 'tools', 'instructions', 'conversation', 'pipeline_config'].some((name) => name in asked)

/** Marks the acknowledgement of what will fail; no image is called so. */
const unapplied = 'an image of an update that fails'

/** What 4.4 and 3.5 leave open of `session.update`: its image, its failure, and what a newer one does to it. */
export const updateVariations = variationsOf({
  'images-checked-late §3.5: An update whose image does not resolve is acknowledged and fails in the end; the state of before is back then.':
    (behaviour) => {
      failLate(behaviour)
      behaviour.update.failureRestores = true
    },
  'images-checked-late-kept §3.5: An update whose image does not resolve is acknowledged and fails in the end; what it named stays in effect.':
    failLate,
  'images-checked-late-unshown §3.5: An update whose image does not resolve is acknowledged with the state of before, and fails in the end.':
    (behaviour) => {
      failLate(behaviour)
      behaviour.update.failureRestores = true
      behaviour.update.announced = (previous, next, resolution) => (unresolved(resolution) ? previous : next)
    },
  'images-checked-late-with-error §6.2: An update whose image does not resolve is acknowledged, then named by an error, and fails in the end.':
    (behaviour) => {
      failLate(behaviour)
      behaviour.update.failureRestores = true
      splitEvent('session.update.done', (event) => {
        if (event['status'] !== 'failed') return [event]
        const error = { type: 'server_error', message: 'no image', event_id: event['request_event_id'] }
        return [{ type: 'error', event_id: `${String(event['event_id'])}_error`, error }, event]
      })(behaviour)
    },
  'failed-updates-unacknowledged §6.2: An update whose image does not resolve is never applied, so that only its failed end is told.':
    {
      contradicts: /^images-checked-late-with-error$/,
      override: (behaviour) => {
        failLate(behaviour)
        const { update } = behaviour
        update.failureRestores = true
        const { announced } = update
        update.announced = (previous, next, resolution) => ({
          ...announced(previous, next, resolution),
          ...(unresolved(resolution) ? { sourceImageId: unapplied } : {}),
        })
        splitEvent('session.updated', (event) =>
          Object(event['session']).source_image_id === unapplied ? [] : [event],
        )(behaviour)
      },
    },
  'image-derived-anew §4.4: Naming `video_avatar` again derives the image from the active avatar ("kept or derived").':
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const again = asked['mode'] === 'video_avatar' && asked['source_image_id'] === undefined
        return (again ? update.derivedImage(active) : null) ?? image(asked, session, mode, active)
      }
    },
  'image-named-in-text-held §4.4: An image that is named in `text_chat` is not shown there, and is the current one when the session comes to video ("kept or derived").':
    remembering(() => ({ update }) => {
      const held = new WeakMap<Session, string>()
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const wanted = asked['source_image_id']
        if (mode !== 'text_chat') {
          const kept = session.state.mode === 'text_chat' && wanted === undefined ? held.get(session) : undefined
          const isUsable = kept !== undefined && imageOf(active, kept) !== undefined
          return isUsable ? kept : image(asked, session, mode, active)
        }
        if (typeof wanted === 'string') held.set(session, wanted)
        else if (wanted === null || session.state.mode !== mode) held.delete(session)
        return image(asked, session, mode, active)
      }
    }),
  'update-media-unreached-at-times §4.4: Every fifth update to an image is refused, since its media could not be had just then.':
    remembering(() => {
      const isDue = everyNth(5, 0)
      const unreached = ({ resolution }: UpdateInput) => inVideo(resolution) && !unresolved(resolution) && isDue()
      return add('validations.sessionUpdate', 'media-unreached', validation('4.4', 'session', unreached))
    }),
  'null-image-shown §4.4: After a null source image null is shown, and the default is rendered ("`null` clears the image").':
    ({ update, validations }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const { state } = session
        const wanted = asked['source_image_id']
        const still = wanted === undefined && state.mode === mode && state.sourceImageId === null
        const cleared = mode === 'video_avatar' && update.derivedImage(active) !== null && (wanted === null || still)
        return cleared ? null : image(asked, session, mode, active)
      }
      const { 'source-image-unresolved': table } = validations.sessionUpdate
      const { broken } = table
      table.broken = (input) =>
        broken(input) &&
        !(
          inVideo(input.resolution) &&
          input.resolution.sourceImageId === null &&
          update.derivedImage(input.resolution.active) !== null
        )
    },
  'switch-needs-image §4.4: Another avatar in video is selected together with one of its images only (of a switch no image is named).':
    add('validations.sessionUpdate', 'switch-without-image', validation('4.4', 'session.source_image_id', switches)),
  'updates-of-fixed-fields-refused §4.4: An update that names a voice, tools, prompts or the pipeline is refused ("cannot be changed by `session.update`").':
    add('validations.sessionUpdate', 'fixed-fields', validation('4.4', 'session', namesFixed)),
  'superseded-unapplied §6.2: An update is applied when it has settled; one that a newer update replaced until then is only told to be cancelled (`superseded`).':
    set('update.appliedLate', true),
  'superseded-undone §6.2: A newer update takes back what it supersedes (`superseded`).': set(
    'update.begunFrom',
    ({ updates, state }) => [...updates][0]?.previous ?? state,
  ),
  'superseded-acknowledged-late §6.2: Updates are acknowledged a moment later than they are applied, so that one which a newer update replaces at once is told to be cancelled before that.':
    several(
      set('channel.delayMs', (event) => (event['type'] === 'session.updated' ? 20 : 0)),
      set('update.settleMs', 80),
    ),
})
