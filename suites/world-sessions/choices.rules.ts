import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { ChoiceId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, textAt } from '#trace/json'
import { referencesOf } from './bodies.ts'
import { mediaStatusOf, statusOf } from './life/status.rules.ts'
import { type Creation, type World, worldsOf } from './worlds.ts'
import { type Call } from '#judge/calls'

type Saw = (choice: ChoiceId, what: Json | undefined) => void

/** What the interface leaves open about world sessions, as this target does it. Reported, never judged. */
export const choices: Rule = {
  id: 'world-sessions.choices',
  proves: [],
  judge(trace, report) {
    const { creations, creates, worlds } = worldsOf(trace)
    for (const creation of creations) if (creation.plain) seeCreation(creation, report)
    for (const call of creates) seeRefusal(call, report)
    for (const world of worlds.values()) {
      seeRuntime(world, report)
      seeSecrets(world, report)
      seeCloses(world, report)
    }
  },
}

function seeCreation({ call, data }: Creation, report: Report): void {
  const saw: Saw = (choice, what) => report.saw(choice, short(what), call.answeredLine)
  saw('world-sessions.create.initial-status', data['status'])
  if (call.answer.kind === 'success') saw('world-sessions.create.http-status', call.answer.status)
  saw('world-sessions.create.last-sequence', data['last_sequence'] === undefined ? 'not shown' : 'shown')
  if (call.asked['metadata'] === undefined) saw('world-sessions.create.metadata-unsent', data['metadata'])
  if (at(call.asked, '/continuation/max_idle_ms') === undefined) {
    saw('world-sessions.create.max-idle-default', at(data, '/continuation/max_idle_ms'))
  }
  seeOrder({ call, data }, saw)
  saw('world-sessions.control.url-scheme', schemeOf(textAt(data, '/control/url')))
  saw('world-sessions.media.url-scheme', schemeOf(textAt(data, '/media/url')))
  const [control, media] = [textAt(data, '/control/client_secret'), textAt(data, '/media/client_secret')]
  saw('world-sessions.control.media-shares-secret', control === media ? 'shared' : 'one each')
  saw('world-sessions.capabilities.values', data['capabilities'])
  seeTimes({ call, data }, saw)
}

/** "By name only" (2.11) says nothing of their order. */
function seeOrder({ call, data }: Pick<Creation, 'call' | 'data'>, saw: Saw): void {
  const [sent, shown] = [namesIn(call.asked), namesIn(data)]
  if (sent.length < 2 || show(sent.toSorted()) !== show(shown.toSorted())) return
  saw('world-sessions.references.order', show(sent) === show(shown) ? 'as sent' : 'another')
}

function namesIn(body: JsonObject): string[] {
  return referencesOf(body).map(({ name }) => show(name))
}

function seeTimes({ call, data }: Pick<Creation, 'call' | 'data'>, saw: Saw): void {
  const [created, expires, secret] = ['/created_at', '/expires_at', '/control/expires_at'].map((place) =>
    Date.parse(textAt(data, place) ?? ''),
  )
  if (created === undefined || expires === undefined || secret === undefined) return
  const seconds = (ms: number) => `about ${Math.round(ms / 1000)} s`
  if (!Number.isNaN(secret - created)) saw('world-sessions.control.secret-lifetime', seconds(secret - created))
  if (!Number.isNaN(secret - expires)) {
    saw('world-sessions.control.expires-after-session', secret > expires ? 'later' : 'not later')
  }
  if (call.asked['max_session_duration_seconds'] === undefined && !Number.isNaN(expires - created)) {
    saw('world-sessions.create.lifetime-default', seconds(expires - created))
  }
}

/** Section 7 lists 30004 for some faults of a create. */
function seeRefusal({ answer }: Call, report: Report): void {
  if (answer.kind !== 'failure' || [10001, 10003, 10008].includes(answer.code)) return
  report.saw('world-sessions.create.code-unlisted', `${answer.code} (HTTP ${answer.status})`, answer.line)
}

function seeRuntime({ creation, gets }: World, report: Report): void {
  for (const call of [creation.call, ...gets]) {
    const status = mediaStatusOf(call)
    if (status !== '') report.saw('world-sessions.runtime.media-status-path', status, call.answeredLine)
    const ids = ['applied', 'pending'].map((name) => short(at(call.data, `/runtime/${name}_world_event_id`)))
    if (call.data !== undefined)
      report.saw('world-sessions.runtime.event-ids-before-events', ids.join(', '), call.answeredLine)
  }
  const ready = gets.find((call) => statusOf(call) === 'active')
  if (statusOf(creation.call) !== 'provisioning' || ready === undefined) return
  const took = Math.round((ready.answeredT - creation.call.answeredT) / 1000)
  report.saw('world-sessions.status.provisioning-time', `${took} s or less`, ready.answeredLine)
}

function seeSecrets({ secrets, closes }: World, report: Report): void {
  const end = closes.find(({ answer }) => answer.kind === 'success')
  for (const { answer, line, answeredLine } of secrets) {
    if (answer.kind !== 'failure' || end === undefined || line < end.answeredLine) continue
    report.saw('world-sessions.client-secret.while-closing-code', String(answer.code), answeredLine)
  }
}

function seeCloses({ gets, closes }: World, report: Report): void {
  const end = closes.find(({ answer }) => answer.kind === 'success')
  if (end === undefined) return
  for (const call of gets) {
    if (call.line < end.answeredLine) continue
    const what = call.answer.kind === 'failure' ? String(call.answer.code) : statusOf(call)
    report.saw('world-sessions.get.after-closed', what, call.answeredLine)
  }
}

function schemeOf(url: string | undefined): string {
  return url === undefined ? 'none' : (/^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1] ?? 'relative')
}

function short(value: Json | undefined): string {
  return typeof value === 'string' ? value.slice(0, 60) : show(inOrder(value))
}

/** Members come in any order, and so do lists of what there is: neither is another choice. */
function inOrder(value: Json | undefined): Json | undefined {
  if (Array.isArray(value))
    return (value as readonly Json[]).toSorted((one, other) => (show(one) < show(other) ? -1 : 1))
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name]) ?? null]))
}
