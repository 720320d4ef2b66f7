import { answerOf } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { TraceIndex } from '#judge/trace-index'
import type { ChoiceId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, listAt } from '#trace/json'
import { modeOf } from './echo.ts'
import { bodyOf, type Call, callsOf, dataOf, livesOf, type Save } from './history.ts'
import { pagesOf } from './list/page-walks.ts'

/** What the interface leaves open about characters, as this target does it. Reported, never judged. */
export const characterChoices: Rule = {
  id: 'characters.choices',
  proves: [],
  judge(trace, report) {
    for (const { changes } of livesOf(trace).values()) {
      for (const { effect } of changes) if (typeof effect === 'object') seeSave(effect, report)
    }
    for (const call of callsOf(trace, 'list-characters')) seePage(call, report)
    for (const page of pagesOf(trace)) {
      const more = page.next !== undefined && page.next !== '' && page.size !== undefined && page.size <= 200
      const filled = page.items.length === page.size ? 'filled' : 'shorter'
      if (more) report.saw('characters.list.page-size-filled', filled, page.until)
    }
    for (const call of callsOf(trace, 'create-session-from-character')) seeStart(call, report)
    seeDenied(trace, report)
    seeLate(trace, report)
  },
}

function seeSave(save: Save, report: Report): void {
  const { body, data, by, until, record } = save
  const saw = (choice: ChoiceId, what: string): void => report.saw(choice, what, until)
  if (by === 'create') saw('characters.create.http-status', String(record.attempts.at(-1)?.response?.entry.status))
  if (body['model'] === undefined) saw('characters.create.model-missing', 'stored')
  const others = ['assets', 'delivery', 'region', 'recording_mode'].filter((name) => body[name] !== undefined)
  for (const name of others) {
    const returned = data[name] === undefined ? 'not returned' : 'returned'
    saw('characters.configuration.other-fields-saved', `${name}: ${returned}`)
  }
  const filled = ['session', 'output', 'conversation', 'auto_close', 'max_duration_seconds', 'pipeline_config'].filter(
    (name) => body[name] === undefined && data[name] !== undefined,
  )
  saw(
    'characters.configuration.defaults-filled',
    filled.length === 0 ? 'nothing beyond what was saved' : filled.join(', '),
  )
  if (by === 'replace') saw('characters.replace.omitted-form', filled.length === 0 ? 'absent' : 'as a default')
  if (modeOf(body) === 'text_chat' && isObject(body['output'])) {
    saw('characters.configuration.text-chat-output', isObject(data['output']) ? 'stored' : 'not stored')
  }
  const urls = (from: JsonObject): readonly Json[] =>
    listAt(from, '/avatars')
      .flatMap((one) => listAt(one, '/visual/source_images'))
      .map((one) => at(one, '/url') ?? null)
  const [sent, shown] = [urls(body), urls(data)]
  if (sent.length === 0 || shown.length !== sent.length) return
  saw('characters.configuration.image-urls-rewritten', show(sent) === show(shown) ? 'kept' : 'rewritten')
}

function seePage(call: Call, report: Report): void {
  const path = call.record.attempts[0]?.request.entry.path ?? ''
  const query = URL.parse(path, 'http://any')?.searchParams
  const size = query?.get('page_size') ?? undefined
  const received = outcome(call)
  if (received === undefined) return
  if (size === '0') report.saw('characters.list.page-size-zero', received, call.until)
  else if (size !== undefined && !/^\d+$/.test(size))
    report.saw('characters.list.page-size-not-a-number', received, call.until)
  else if (Number(size) > 200) report.saw('characters.list.page-size-above-maximum', received, call.until)
  if (query?.get('page_token') === '') report.saw('characters.list.page-token-empty', received, call.until)
}

const forbidden = ['avatars', 'pipeline_config', 'conversation', 'auto_close']

function seeStart(call: Call, report: Report): void {
  const body = bodyOf(call.record)
  const received = outcome(call)
  if (!isObject(body) || received === undefined) return
  const sent = forbidden.filter((name) => body[name] !== undefined)
  if (sent.length > 0)
    report.saw('characters.session.forbidden-fields', `${sent.join(' and ')}: ${received}`, call.until)
  const answer = answerOf(call.record)
  if (answer.kind === 'success') report.saw('characters.session.http-status', String(answer.status), call.until)
  if (body['max_duration_seconds'] === 45)
    report.saw('characters.session.duration-below-auto-close', received, call.until)
}

/** Codes of load, quota and keys say nothing about what was asked. */
const aside = new Set([10001, 10003, 10008, 30006, 30008])

function outcome({ record }: Call): string | undefined {
  const answer = answerOf(record)
  if (answer.kind === 'success') return 'accepted'
  return answer.kind === 'failure' && !aside.has(answer.code) ? `refused with ${answer.code}` : undefined
}

const weak = new Set(['billing_inactive', 'insufficient_balance', 'access_denied'])

function seeDenied(trace: TraceIndex, report: Report): void {
  for (const call of callsOf(trace, 'create-character')) {
    const received = weak.has(call.key) ? outcome(call) : undefined
    if (received !== undefined) report.saw('characters.create.billing', `${call.key}: ${received}`, call.until)
  }
}

const lateRow = /^characters\.(?:create|auto-close)\..*-refused$/

/** Faults that are refused on save or on start, by the claims that speak of them. */
function seeLate(trace: TraceIndex, report: Report): void {
  for (const { entry } of trace.claims) {
    const { condition } = entry
    if (!lateRow.test(entry.requirement) || condition.is !== 'any') continue
    const [first] = condition.of
    const record = first?.is === 'rejected' ? trace.exchanges.get(first.exchange) : undefined
    if (record === undefined) continue
    const what = dataOf(record) === undefined ? 'on save' : 'not on save'
    const name = entry.requirement.split('.')[2] ?? ''
    if (answerOf(record).kind === 'success' || answerOf(record).kind === 'failure') {
      report.saw('characters.create.refused-at', `${name}: ${what}`, record.attempts.at(-1)?.response?.line ?? 0)
    }
  }
}
