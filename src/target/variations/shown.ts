import { around, drop, remembering, set, several } from '#target/overrides/operators'
import { connectionsAtMost } from '#target/overrides/admission'
import { change } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { onEvent } from '#target/overrides/events'
import { waive } from '../behaviour/validations/waive.ts'
import type { ResponsePlan } from '../responses/run.ts'
import { isWire, type JsonObject, objectAt, objectsAt, without } from '../wire.ts'
import { variationsOf } from './table.ts'

const rehosted = (url: unknown): string =>
  `https://cdn.target.example/${encodeURIComponent(String(url)).length}/file.png`

const rehost = (one: JsonObject): JsonObject => (one['url'] === undefined ? one : { ...one, url: rehosted(one['url']) })

const withVisual = (avatar: JsonObject, make: (visual: JsonObject) => JsonObject): JsonObject =>
  avatar['visual'] === undefined ? avatar : { ...avatar, visual: make(objectAt(avatar, 'visual')) }

/** The states in which responses run that lean on something unknown. */
const leansOnNothing = new WeakSet<object>()

const unknownAssets = [
  'speech-asset-unknown',
  'audio-asset-unknown',
  'visual-asset-unknown',
  'reference-unknown',
] as const

/** A secret admits nobody while somebody is there. */
const oneAtATime = connectionsAtMost(1)

/** What the channel shows of what a client said, and what it looks at late. */
export const shownVariations = variationsOf({
  'error-codes-missing §6.2: Errors have no code, no param and no name of the event (all are optional).': onEvent(
    'error',
    (event) => ({
      ...event,
      error: without(objectAt(event, 'error'), 'code', 'param', 'event_id'),
    }),
  ),
  'one-connection-at-a-time §5: A second connection is refused while another one is open ("reconnecting with it in the same session is allowed").':
    { warns: ['control-channel.secret.second-connection-admitted'], override: oneAtATime },
  'connections-leave-slowly §5: A second connection is refused while another one is open, and it takes half a second to know that one has ended ("reconnecting with it in the same session is allowed"; no time is promised).':
    {
      warns: ['control-channel.secret.second-connection-admitted'],
      override: several(oneAtATime, set('channel.leaveMs', 500)),
    },
  'requests-named-empty §6.2: A response names its request by an empty text (`request_event_id` is optional).': onEvent(
    'response.created',
    (event) => ({ ...event, request_event_id: '' }),
  ),
  'error-codes-empty §6.2: Errors have an empty code, and an empty name of the event (both are optional).': onEvent(
    'error',
    (event) => ({ ...event, error: { ...objectAt(event, 'error'), code: '', event_id: '' } }),
  ),
  'requests-named-by-the-service §6.2: A request without an id is named by one of the service, also where it is refused ("the client `event_id` when nonempty").':
    remembering(() => {
      let count = 0
      return [
        around('scheduling.submitted', (submitted) => (asked, session) => {
          const plan = submitted(asked, session)
          if ((plan.requestEventId ?? '') !== '') return plan
          count += 1
          return { ...plan, requestEventId: `request_${session.id}_${count}` }
        }),
        onEvent('error', (event, session) => {
          const error = objectAt(event, 'error')
          if (error['event_id'] !== undefined) return event
          count += 1
          return { ...event, error: { ...error, event_id: `request_${session.id}_${count}` } }
        }),
      ]
    }),
  'second-connections-leave-late §5: A second connection is accepted while another one is open, and closed a second later.':
    {
      warns: ['control-channel.secret.second-connection-admitted'],
      override: several(oneAtATime, set('channel.refusal', 'close'), set('channel.refusalMs', 1000)),
    },
  'additions-kinds-left-out §6.2: `asset.added` leaves out the kinds of which nothing was added, named or not ("arrays of the registered assets").':
    {
      warns: ['control-channel.asset-added.empty-kinds-shown'],
      override: onEvent('asset.added', (event) => {
        const kinds = Object.entries(objectAt(event, 'assets')).filter(
          ([, list]) => Array.isArray(list) && list.length > 0,
        )
        const assets: JsonObject = Object.fromEntries(kinds)
        return { ...event, assets }
      }),
    },
  'images-kept-elsewhere §2.1: Images of a session are kept elsewhere, in another format, and shown so (URLs may come back rewritten).':
    several(
      onCreated(change('avatars.*.visual.source_images.*.url', rehosted)),
      onCreated(
        change('avatars.*.visual.source_images.*', (image) =>
          isWire(image) && image['url'] !== undefined ? { ...image, media_type: 'image/webp' } : image,
        ),
      ),
    ),
  'additions-rehosted §6.2: Images and assets that were added are kept elsewhere: their URLs come back rewritten, and images in another format.':
    several(
      onEvent('asset.added', (event) => {
        const assets = Object.entries(objectAt(event, 'assets')).map(([kind]) => [
          kind,
          objectsAt(objectAt(event, 'assets'), kind).map((one) => ({
            ...rehost(one),
            ...(kind === 'images' && one['mime_type'] !== undefined ? { mime_type: 'image/webp' } : {}),
          })),
        ])
        return { ...event, assets: Object.fromEntries(assets) as JsonObject }
      }),
      onEvent('avatar.added', (event) => ({
        ...event,
        avatars: objectsAt(event, 'avatars').map((avatar) =>
          withVisual(avatar, (visual) => ({
            ...visual,
            source_images: objectsAt(visual, 'source_images').map((one) => ({
              ...rehost(one),
              media_type: 'image/webp',
            })),
          })),
        ),
      })),
    ),
  'added-visual-filled §6.2: An added avatar is shown with what follows from it: a default image, a default speed, and its images in another order ("effective").':
    onEvent('avatar.added', (event) => ({
      ...event,
      avatars: objectsAt(event, 'avatars').map((avatar) => ({
        ...withVisual(avatar, (visual) => {
          const images = objectsAt(visual, 'source_images')
          const [first] = images
          return {
            default_source_image_id: first?.['source_image_id'],
            ...visual,
            source_images: images.toReversed(),
          }
        }),
        ...(avatar['voice'] === undefined ? {} : { voice: { speed: 1, ...objectAt(avatar, 'voice') } }),
      })),
    })),
  'added-nothing-as-null §6.2: An added avatar without instructions, voice or visual is shown with null for them ("the effective `instructions`, `voice`, `visual`").':
    onEvent('avatar.added', (event) => ({
      ...event,
      avatars: objectsAt(event, 'avatars').map((avatar) => ({
        instructions: null,
        voice: null,
        visual: null,
        ...avatar,
      })),
    })),
  'faulty-items-as-sent §2.9: Items are kept and shown as they were sent, whatever is wrong with them (nothing is said of a rejection).':
    {
      warns: [
        'control-channel.item-create.unknown-type-rejected',
        'control-channel.item-create.type-missing-rejected',
        'control-channel.item-create.unknown-role-rejected',
        'control-channel.item-create.unknown-part-type-rejected',
        'control-channel.item-create.unknown-status-rejected',
        'control-channel.item-create.function-call-name-missing-rejected',
        'control-channel.item-create.function-call-arguments-missing-rejected',
        'control-channel.item-create.function-call-arguments-object-rejected',
        'control-channel.item-create.function-call-output-call-id-missing-rejected',
        'control-channel.item-create.function-call-output-output-missing-rejected',
        'control-channel.item-create.function-call-output-output-object-rejected',
        'control-channel.item-create.image-detail-unknown-rejected',
      ],
      override: ({ validations }) => {
        for (const id of Object.keys(validations.items))
          if (id !== 'item-id-not-string') waive(validations.items, id as never)
      },
    },
  'unknown-assets-fail-late §4.4: A response that leans on an unknown asset or item starts, and fails (nothing is said of a rejection).':
    ({ validations, responses, scheduling }) => {
      let leans = false
      const see = (id: keyof typeof validations.responseCreate, seen: (found: boolean) => boolean): void => {
        const validation = validations.responseCreate[id]
        const { broken } = validation
        validation.broken = (input) => seen(broken(input))
      }
      see('response-not-object', (found) => {
        leans = false
        return found
      })
      for (const id of unknownAssets)
        see(id, (found) => {
          leans ||= found
          return false
        })
      const { submitted } = scheduling
      scheduling.submitted = (plan, session) => {
        const made = submitted(plan, session)
        if (!leans) return made
        const state = { ...made.state }
        leansOnNothing.add(state)
        return { ...made, state, text: undefined, mediaMs: 0 }
      }
      const { finishedStatus, finishedDetails, renders } = responses
      const fails = ({ state }: ResponsePlan): boolean => leansOnNothing.has(state)
      responses.renders = (plan) => !fails(plan) && renders(plan)
      responses.finishedStatus = (run) => (fails(run.plan) ? 'failed' : finishedStatus(run))
      responses.finishedDetails = (run) =>
        fails(run.plan) ? { type: 'failed', reason: 'not_found' } : finishedDetails(run)
    },
  'auto-close-told-more §4.1: A create tells more of the auto-close policy than Get does.': around(
    'views.created.auto_close',
    (policy) => (session, address) => ({
      ...Object(policy?.(session, address)),
      max_duration_seconds: session.plan.maxDurationSeconds,
    }),
  ),
  "item-status-by-server §2.9: The status of an item is the service's own, whatever a client says.": {
    concerns: /avatar-session|character/,
    override: several(
      drop('validations.items', 'item-status-unknown'),
      set('conversation.stored', (item, id) => ({ ...item, id, status: 'completed' })),
    ),
  },
})
