import type { Report, Rule } from '#judge/rule'
import { judgeShape, placeOf, type ShapeRows } from '#judge/shape-rule'
import type { RequirementId } from '#spec/register'
import type { ShapeName } from '#spec/schemas'
import type { ShapeError } from '#spec/shape-error'
import { validate } from '#spec/validators'
import { at, type JsonObject, textAt } from '#trace/json'
import { holdsNothing } from '../life/get.rules.ts'
import { worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'

const interpretation = 'world-sessions.capabilities.live-audio-interpretation'

type Rows = { readonly [row in RequirementId]?: readonly string[] }

const runtime: Rows = {
  'world-sessions.runtime.media-status-in-set': ['/runtime/media_status'],
  'world-sessions.runtime.media-time-integer': ['/runtime/media_time_ms'],
  'world-sessions.runtime.applied-event-id': ['/runtime/applied_world_event_id'],
  'world-sessions.runtime.pending-event-id': ['/runtime/pending_world_event_id'],
}

const onCreate: Rows = {
  ...runtime,
  'world-sessions.status.in-set-on-create': ['/status'],
  'world-sessions.session.model-echoed': ['/model'],
  'world-sessions.control.url-nonempty': ['/control', '/control/url'],
  'world-sessions.control.client-secret-nonempty': ['/control/client_secret'],
  'world-sessions.control.expires-at-timestamp': ['/control/expires_at'],
  'world-sessions.media.url-nonempty': ['/media', '/media/url'],
  'world-sessions.media.client-secret-nonempty': ['/media/client_secret'],
  'world-sessions.media.expires-at-timestamp': ['/media/expires_at'],
  'world-sessions.output.aspect-ratio-in-set': ['/output', '/output/aspect_ratio'],
  'world-sessions.output.resolution-in-set': ['/output/resolution'],
  'world-sessions.output.fps-positive': ['/output/fps'],
  'world-sessions.output.captions-boolean': ['/output/captions'],
  'world-sessions.live-input.object': ['/live_input'],
  'world-sessions.continuation.start-mode-in-set': ['/continuation', '/continuation/start_mode'],
  'world-sessions.continuation.max-idle-integer': ['/continuation/max_idle_ms'],
  'world-sessions.references.array': ['/references', '/references/*'],
  'world-sessions.references.names-returned': ['/references/*/name'],
  'world-sessions.references.name-only': ['/references/*/content'],
  'world-sessions.runtime.object': ['/runtime'],
  'world-sessions.metadata.string-values': ['/metadata'],
  'world-sessions.session.created-at-timestamp': ['/created_at'],
  'world-sessions.session.expires-at-timestamp': ['/expires_at'],
  'world-sessions.capabilities.object': ['/capabilities'],
  'world-sessions.capabilities.event-content-types': ['/capabilities/event_content_types'],
  'world-sessions.capabilities.reference-content-types': ['/capabilities/reference_content_types'],
  'world-sessions.capabilities.event-handling': ['/capabilities/event_handling'],
  'world-sessions.capabilities.live-audio-supported': [
    '/capabilities/live_audio',
    '/capabilities/live_audio/supported',
  ],
  [interpretation]: ['/capabilities/live_audio/interpretation'],
  'world-sessions.capabilities.runtime-references': ['/capabilities/runtime_references'],
  'world-sessions.capabilities.event-cancel': ['/capabilities/event_cancel'],
  'world-sessions.capabilities.continuation-hold': ['/capabilities/continuation', '/capabilities/continuation/hold'],
  'world-sessions.capabilities.continuation-resume': ['/capabilities/continuation/resume'],
  'world-sessions.capabilities.continuation-automatic': ['/capabilities/continuation/automatic'],
  'world-sessions.capabilities.reconnect-snapshot': ['/capabilities/reconnect', '/capabilities/reconnect/snapshot'],
  'world-sessions.capabilities.reconnect-event-replay': ['/capabilities/reconnect/event_replay'],
  'world-sessions.capabilities.max-event-bytes': ['/capabilities/limits', '/capabilities/limits/max_event_bytes'],
  'world-sessions.capabilities.max-references': ['/capabilities/limits/max_references'],
  'world-sessions.capabilities.max-reference-images': ['/capabilities/limits/max_reference_images'],
}

const onGet: Rows = {
  ...runtime,
  'world-sessions.status.in-set-on-get': ['/status'],
  'world-sessions.get.control-url': ['/control', '/control/url'],
  'world-sessions.get.control-expires-at': ['/control/expires_at'],
  'world-sessions.get.media-url': ['/media', '/media/url'],
  'world-sessions.get.media-expires-at': ['/media/expires_at'],
  'world-sessions.get.runtime': ['/runtime'],
  'world-sessions.get.last-sequence': ['/last_sequence'],
  'world-sessions.get.usage-video': ['/usage', '/usage/generated_video_ms'],
  'world-sessions.get.usage-audio': ['/usage/generated_audio_ms'],
  'world-sessions.get.capabilities': ['/capabilities'],
}

/** What Get shows again: its shape speaks against these rows, and never for them. */
const again: Rows = {
  'world-sessions.get.names-session': ['/session_id'],
  'world-sessions.get.same-model': ['/model'],
  'world-sessions.get.same-output': ['/output'],
  'world-sessions.get.same-live-input': ['/live_input'],
  'world-sessions.get.same-continuation': ['/continuation'],
  'world-sessions.get.same-references': ['/references'],
  'world-sessions.get.same-metadata': ['/metadata'],
  'world-sessions.get.same-created-at': ['/created_at'],
  'world-sessions.get.same-expires-at': ['/expires_at'],
}

const onSecret: Rows = {
  'world-sessions.client-secret.control-url': ['/control', '/control/url'],
  'world-sessions.client-secret.control-secret': ['/control/client_secret'],
  'world-sessions.client-secret.control-expires-at': ['/control/expires_at'],
  'world-sessions.client-secret.media-url': ['/media', '/media/url'],
  'world-sessions.client-secret.media-secret': ['/media/client_secret'],
  'world-sessions.client-secret.media-expires-at': ['/media/expires_at'],
}

const sessionId: RequirementId = 'world-sessions.session.id-nonempty'
const named: RequirementId = 'world-sessions.client-secret.names-session'
const closeNamed: RequirementId = 'world-sessions.close.names-session'
const onClose: Rows = { 'world-sessions.close.status-in-set': ['/status'] }

/** Rows that speak of what was sent or of which session it is: a good shape alone does not bear them out. */
const quiet = new Set<string>([
  ...Object.keys(again),
  named,
  closeNamed,
  'world-sessions.session.model-echoed',
  'world-sessions.references.names-returned',
  'world-sessions.references.name-only',
])

/** The shapes of what the four operations return (2.11, 2.12, 4.5). */
export const shapes: Rule = {
  id: 'world-sessions.shapes',
  proves: [
    sessionId,
    ...[onCreate, onGet, again, onSecret, onClose].flatMap((rows) => Object.keys(rows)),
    named,
    closeNamed,
  ],
  judge(trace, report) {
    const { creations, worlds } = worldsOf(trace)
    const told: Report = { ...report, held: (row, ...lines) => void (quiet.has(row) || report.held(row, ...lines)) }
    for (const { call, plain } of creations) {
      if (!plain || hasFailed(call)) continue
      const rows = readyRows(onCreate, call, told)
      leaveUnheard(call, told)
      judge('rest/create-world-session.response', call, { rows, otherwise: sessionId }, told, isReady(call))
    }
    for (const { creation, gets, secrets, closes } of worlds.values()) {
      for (const call of gets) judgeGet(call, creation.data, told)
      for (const call of secrets) {
        judge('rest/create-client-secret.response', call, { rows: onSecret, otherwise: named }, told)
      }
      for (const call of closes) {
        judge('rest/close-world-session.response', call, { rows: onClose, otherwise: closeNamed }, told)
      }
    }
  },
}

/** What a session that failed still shows is not said. */
function hasFailed({ data }: Call): boolean {
  return at(data, '/status') === 'failed'
}

/** 2.12: whoever takes no live audio has no way of interpreting it to tell. */
function leaveUnheard({ data, answeredLine }: Call, report: Report): void {
  const told = at(data, '/capabilities/live_audio/interpretation') !== undefined
  if (told || at(data, '/capabilities/live_audio/supported') !== false) return
  report.unobserved(interpretation, 'model_choice', 'live audio is not supported', answeredLine)
}

/** A session that is over need not show how it would be reached; what 4.5 lists beside its `status` it does. */
function judgeGet(call: Call, made: JsonObject, report: Report): void {
  const over = ['closing', 'closed', 'failed'].includes(textAt(call.data, '/status') ?? '')
  const rows = readyRows({ ...onGet, ...again }, call, report)
  const table = { rows, otherwise: 'world-sessions.get.names-session' }
  // What the create showed to be empty may be left out.
  const isMeant = (error: ShapeError) =>
    isReady(call)(error) && !(error.pointer === '' && holdsNothing(made, error.property ?? ''))
  if (!over) judge('rest/get-world-session.response', call, table, report, isMeant)
  else
    judge(
      'rest/get-world-session.response',
      call,
      table,
      report,
      (error) => isOfState(error) || lacksRuntime(call, error),
    )
}

const ofDescriptors = /^\/(control|media)(\/|$)/

/** 3.2: a session is active "once the runtime and descriptors are ready": before, they may be empty, or missing. */
function isEarly({ data }: Call, place: string): boolean {
  if (at(data, '/status') !== 'provisioning' || !ofDescriptors.test(place)) return false
  const whole = at(data, place.split('/').slice(0, 2).join('/')) ?? null
  return whole === null || [undefined, null, ''].includes(at(data, place) as string | null | undefined)
}

/** The rows of what is ready; the others are told as not to be seen yet. */
function readyRows(rows: ShapeRows['rows'], call: Call, report: Report): ShapeRows['rows'] {
  const early = Object.entries(rows).filter(([, places]) => places.some((place) => isEarly(call, place)))
  for (const [row] of early) {
    report.unobserved(row, 'model_choice', 'the session was provisioning, without descriptors yet', call.answeredLine)
  }
  const names = new Set(early.map(([row]) => row))
  return Object.fromEntries(Object.entries(rows).filter(([row]) => !names.has(row)))
}

const isReady =
  (call: Call) =>
  (error: ShapeError): boolean =>
    !isEarly(call, placeOf(error))

/** "`status` (…, `closing`, `closed`, `failed`), `runtime`, `last_sequence`, `usage`, `capabilities`". */
const listed = ['usage', 'last_sequence', 'capabilities']

/** One that ran has had a runtime; one that failed need never have had any. */
function lacksRuntime(call: Call, { pointer, property }: ShapeError): boolean {
  return pointer === '' && property === 'runtime' && !hasFailed(call)
}

/** Of a session that is over, what still tells its state, and what 4.5 lists beside that. */
function isOfState({ pointer, property = '' }: ShapeError): boolean {
  if (pointer === '' && listed.includes(property)) return true
  if (listed.some((name) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))) return true
  if (property !== '') return false
  return pointer === '/status' || pointer.startsWith('/runtime/')
}

function judge(
  shape: ShapeName,
  call: Call,
  table: ShapeRows,
  report: Report,
  isMeant: (error: ShapeError) => boolean = () => true,
): void {
  if (call.answer.kind !== 'success') return
  const value = call.answer.data ?? null
  const errors = validate(shape, value).filter(isOurs).filter(isMeant).map(ofRuntime)
  judgeShape({ value, line: call.answeredLine, scenario: call.scenario }, errors, table, report)
}

/** Secrets of Get have a rule of their own, which looks deeper. */
function isOurs({ pointer, schema_path }: ShapeError): boolean {
  return !(/^\/(control|media)\/client_secret$/.test(pointer) && schema_path.endsWith('false schema'))
}

/** A field that `runtime` lacks is a fault of the whole. */
function ofRuntime(error: ShapeError): ShapeError {
  if (error.pointer !== '/runtime' || error.property === undefined) return error
  const { property: _, ...rest } = error
  return rest
}
