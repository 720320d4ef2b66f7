import type { Report, Rule } from '#judge/rule'
import { judgeShape, placeOf, type ShapeRows } from '#judge/shape-rule'
import type { ShapeError } from '#spec/shape-error'
import { validate } from '#spec/validators'
import { at, isObject, type Json } from '#trace/json'
import { echoFaults } from './echo.rules.ts'
import { effectiveOf } from './model.ts'
import { type Creation, plainCreations } from './creations.ts'

const part = 'avatar-sessions'

/** Which row speaks about which place of the session object (2.1), whatever the mode. */
const common: ShapeRows['rows'] = {
  [`${part}.session.status-in-set`]: ['/status'],
  [`${part}.session.auto-close-object`]: ['/auto_close'],
  [`${part}.session.disconnected-timeout-integer`]: ['/auto_close/disconnected_timeout_seconds'],
  [`${part}.session.idle-timeout-integer`]: ['/auto_close/interaction_idle_timeout_seconds'],
  [`${part}.session.region-string`]: ['/region'],
  [`${part}.session.mode-in-set`]: ['/session', '/session/mode'],
  [`${part}.session.active-avatar-id-nonempty`]: ['/session/active_avatar_id'],
  [`${part}.control.url-absolute-wss`]: ['/control', '/control/url'],
  [`${part}.control.client-secret-nonempty`]: ['/control/client_secret'],
  [`${part}.assets.arrays`]: ['/assets'],
  [`${part}.conversation.object`]: ['/conversation'],
  [`${part}.avatars.array`]: ['/avatars'],
  [`${part}.session.model-echoed`]: ['/model'],
  [`${part}.session.expires-at-timestamp`]: ['/expires_at'],
}

/** The same for what only a `video_avatar` session has (2.1, 2.2). */
const video: ShapeRows['rows'] = {
  [`${part}.session.source-image-id-in-video`]: ['/session/source_image_id'],
  [`${part}.output.present-in-video`]: ['/output'],
  [`${part}.output.aspect-ratio-string`]: ['/output/aspect_ratio'],
  [`${part}.output.resolution-in-set`]: ['/output/resolution'],
  [`${part}.output.fps-integer`]: ['/output/fps'],
  [`${part}.delivery.present-in-video`]: ['/delivery', '/delivery/media'],
  [`${part}.delivery.transport-in-set`]: ['/delivery/media/transport'],
  [`${part}.delivery.rtc-a-sdk-app-id`]: ['/delivery/media/rtc_a/sdk_app_id'],
  [`${part}.delivery.rtc-a-room-id`]: ['/delivery/media/rtc_a/room_id'],
  [`${part}.delivery.rtc-a-user-id`]: ['/delivery/media/rtc_a/user_id'],
  [`${part}.delivery.rtc-a-user-sig`]: ['/delivery/media/rtc_a/user_sig'],
  [`${part}.delivery.rtc-a-publisher-user-id`]: ['/delivery/media/rtc_a/publisher_user_id'],
  [`${part}.delivery.rtc-b-app-id`]: ['/delivery/media/rtc_b/app_id'],
  [`${part}.delivery.rtc-b-channel-name`]: ['/delivery/media/rtc_b/channel_name'],
  [`${part}.delivery.rtc-b-token`]: ['/delivery/media/rtc_b/token'],
  [`${part}.delivery.rtc-b-user-id`]: ['/delivery/media/rtc_b/user_id'],
  [`${part}.delivery.rtc-b-publisher-user-id`]: ['/delivery/media/rtc_b/publisher_user_id'],
}

const otherwise = `${part}.session.id-nonempty`
const textTable: ShapeRows = { rows: common, otherwise }
const videoTable: ShapeRows = { rows: { ...common, ...video }, otherwise }
const rtcFields = Object.values(video)
  .flat()
  .filter((pointer) => /rtc_[ab]/.test(pointer))
const needed = [
  '/session/source_image_id',
  '/output',
  '/output/aspect_ratio',
  '/output/resolution',
  '/output/fps',
  '/delivery',
  '/delivery/media',
  '/delivery/media/transport',
]
const videoOnly = ['/output', '/delivery', '/session/source_image_id']

/** The shape of the session object that Create Session returns (2.1 to 2.5). */
export const sessionShape: Rule = {
  id: 'avatar-sessions.session-shape',
  proves: [otherwise, ...Object.keys(common), ...Object.keys(video)],
  judge(trace, report) {
    for (const creation of plainCreations(trace)) judgeCreation(creation, report)
  },
}

function judgeCreation(creation: Creation, report: Report): void {
  const { data, line, record } = creation
  const inVideo = effectiveOf(creation.body).mode.value === 'video_avatar'
  const shownInVideo = inVideo && at(data, '/session/mode') === 'video_avatar'
  const table = shownInVideo ? videoTable : textTable
  const basic = [...basicErrors(data), ...stricterErrors(data)]
  const inMode = (error: ShapeError) => shownInVideo || !videoOnly.some((place) => isWithin(placeOf(error), place))
  const errors = [...basic.filter(inMode), ...(shownInVideo ? missing(data) : [])]
  const echoes = errors.length === 0 ? [] : echoFaults(creation)
  const told = errors.filter((error) => !echoes.some((place) => isWithin(placeOf(error), place)))
  judgeShape({ value: data, line, scenario: record.scenario }, told, table, report)
}

/** Without what the schema says of one mode only: that is judged by the mode that was asked for. */
function basicErrors(data: Json): readonly ShapeError[] {
  const errors = validate('rest/create-avatar-session.response', data)
  return errors.filter(({ schema_path }) => !schema_path.includes('/then') && !schema_path.includes('complete'))
}

/** What 2.1 and 2.2 mean beyond the types: ids and credentials are not empty, seconds and rates not negative. */
function stricterErrors(data: Json): readonly ShapeError[] {
  const filled = ['/session/active_avatar_id', ...rtcFields].filter((pointer) => at(data, pointer) === '')
  const seconds = ['disconnected_timeout_seconds', 'interaction_idle_timeout_seconds'].map(
    (name) => `/auto_close/${name}`,
  )
  const negative = seconds.filter((pointer) => Number(at(data, pointer)) < 0)
  const rate = at(data, '/output/fps') !== undefined && Number(at(data, '/output/fps')) <= 0 ? ['/output/fps'] : []
  const avatars = at(data, '/avatars')
  return [
    ...filled.map((pointer) => fault(pointer, 'a nonempty string', '""')),
    ...negative.map((pointer) => fault(pointer, '0 or more', 'less than 0')),
    ...rate.map((pointer) => fault(pointer, 'a positive integer', JSON.stringify(at(data, pointer)))),
    ...(Array.isArray(avatars) && avatars.length === 0 ? [fault('/avatars', 'a nonempty array', '[]')] : []),
  ]
}

/** What a `video_avatar` session must have (2.1); where the whole is missing, its parts are not counted. */
function missing(data: Json): readonly ShapeError[] {
  const absent = needed.filter((pointer) => isObject(at(data, parentOf(pointer))) && at(data, pointer) === undefined)
  return absent.map((pointer) => fault(pointer, 'a value in a video_avatar session', 'nothing'))
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

function fault(pointer: string, expected: string, got: string): ShapeError {
  return { pointer, keyword: 'greenroom', expected, got, schema_path: '', message: `${pointer}: ${expected}` }
}

function isWithin(place: string, outer: string): boolean {
  return place === outer || place.startsWith(`${outer}/`)
}
