import type { Behaviour, Override } from '#target/behaviour/behaviour'
import type { Attempt } from '#target/behaviour/channel'
import { imageOf } from '#target/behaviour/create'
import type { CutCause, LifeStep } from '#target/behaviour/responses'
import type { ResponseInput } from '#target/behaviour/validations/response-create'
import type { UpdateInput } from '#target/behaviour/validations/session-update'
import { connectionsAtMost } from '#target/overrides/admission'
import { around, except, set, several } from '#target/overrides/operators'
import type { ResponsePlan } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'
import { refuseEvent } from './refusals.ts'

export const onlyFirst = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, 1) : list)

export const withExtra =
  (extra: JsonObject) =>
  (list: unknown): unknown =>
    Array.isArray(list) && list.length > 0 ? [...list, extra] : list

export const byIndex = (list: unknown): unknown =>
  Array.isArray(list) && list.length > 0 ? Object.fromEntries(list.entries()) : list

/** Admits attempts with a wrong token. */
export const admitAlso = (admits: (session: Session, token: string, attempt: Attempt) => boolean): Override =>
  around(
    'channel.admission.token-wrong',
    (old) => (attempt) =>
      old(attempt) &&
      !(
        attempt.session !== undefined &&
        attempt.token !== undefined &&
        admits(attempt.session, attempt.token, attempt)
      ),
  )

export const CREATED = 'conversation.item.created'

export const RETRIEVED = 'conversation.item.retrieved'

export const DELETED = 'conversation.item.deleted'

/** Makes `conversation.item.created` name as last what a pointer remembers. */
export const pointing = (track: (items: JsonObject[]) => { last: string | null }): Override =>
  around(
    'conversation.announcedPrevious',
    (announcedPrevious) => (items, index, asked) =>
      asked === undefined && index === items.length && items.length > 0
        ? (track(items).last ?? announcedPrevious(items, index, asked))
        : announcedPrevious(items, index, asked),
  )

/** Items of the client are whole when they are confirmed; those of a response are still in progress. */
export function isOwnItem(event: JsonObject): boolean {
  return objectAt(event, 'item')['status'] !== 'in_progress'
}

export const parts = (item: JsonObject): JsonObject[] => objectsAt(item, 'content')

/** Adds a fault to the frames. */
export const faulty = (broken: (event: JsonObject) => boolean): Override =>
  around(
    'frames.type-unknown.broken',
    (old) => (frame) => old(frame) || (frame.event !== undefined && broken(frame.event)),
  )

/** Leaves a step out of how a cut response ends. */
export const cutWithout = (step: LifeStep, cause: CutCause): Override =>
  around(
    'responses.cutOrder',
    (cutOrder) => (why) => (why === cause ? cutOrder(why).filter((one) => one !== step) : cutOrder(why)),
  )

export const endAs = (cause: CutCause, status: string): Override =>
  around('responses.cutStatus', (cutStatus) => (why, run) => (why === cause ? status : cutStatus(why, run)))

export const halved = (plan: ResponsePlan): ResponsePlan => ({
  ...plan,
  text: plan.text?.slice(0, Math.ceil(plan.text.length / 2)),
})

export const scriptOf = ({ response }: ResponseInput): JsonObject => objectAt(response, 'script')

export const vocalOf = (input: ResponseInput): JsonObject => objectAt(scriptOf(input), 'vocal')

export const KINDS = ['images', 'audio', 'speech_text', 'visual_prompts'] as const

/** Whether an asset was given at the creation. */
export const isPlanned = (session: Session, kind: string, id: unknown): boolean =>
  objectsAt(session.plan.assets, kind).some((asset) => asset['asset_id'] === id)

export const isOfAnotherKind = (session: Session, kind: string, id: unknown): boolean =>
  KINDS.some((other) => other !== kind && typeof id === 'string' && session.assets[other].has(id))

/** Refuses requests that the spec accepts. */
export const refuseResponse = (broken: (input: ResponseInput) => boolean): Override =>
  refuseEvent('validations.responseCreate', broken)

/** Accepts updates that the validation of unusable images would refuse. */
export const acceptImage = (accepts: (input: UpdateInput) => boolean): Override =>
  except('validations.sessionUpdate', ['source-image-unresolved', 'source-image-unknown'], (input) => accepts(input))

export const toVideo = ({ session, resolution }: UpdateInput): boolean =>
  session.state.mode === 'text_chat' && resolution.mode === 'video_avatar'

export const hasVisual = ({ resolution }: UpdateInput): boolean => resolution.active?.['visual'] !== undefined

export const named = ({ asked }: UpdateInput): string | undefined => textOf(asked['source_image_id'])

export const ofAnotherAvatar = (input: UpdateInput): boolean =>
  input.session.avatars.some(
    (avatar) => avatar !== input.resolution.active && imageOf(avatar, named(input) ?? '') !== undefined,
  )

/** A user who is heard and transcribed, whether asked or not: only then do the events come at all. */
export const heard =
  (fails: boolean, then: Override): Override =>
  (b: Behaviour): void => {
    b.extras.userSpeech = { afterMs: 60, transcript: 'Can you hear me?', fails, unasked: true }
    then(b)
  }

export const speaks = (then: Override): Override => heard(false, then)

export const dropPending = (session: Session): void => {
  session.pending = []
}

/** Whoever comes second is refused, and nobody looks at a secret. */
export const anyOneAtATime = several(
  connectionsAtMost(1),
  set('channel.admission.token-wrong', () => false),
)
