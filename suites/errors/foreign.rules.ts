import { createdSession, envelopeOf } from '#judge/answers'
import { isRecording } from '#judge/recordings'
import type { Rule } from '#judge/rule'
import { sessionIn } from '#judge/sessions/session-in'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import type { OperationId } from '#spec/tables'
import { areApart, workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { decoded } from '#trace/decoded'
import { at, textAt, textsIn } from '#trace/json'

/** What a key of another workspace must not reach, by what it asks for. */
const rows: { readonly [operation in OperationId]?: RequirementId } = {
  'get-avatar-session': 'avatar-sessions.get.other-workspace-rejected',
  'close-avatar-session': 'avatar-sessions.close.other-workspace-rejected',
  'get-world-session': 'world-sessions.get.other-workspace-rejected',
  'create-client-secret': 'world-sessions.client-secret.other-workspace-rejected',
  'close-world-session': 'world-sessions.close.other-workspace-rejected',
  'get-character': 'characters.scope.other-workspace-get-rejected',
  'replace-character': 'characters.scope.other-workspace-replace-rejected',
  'delete-character': 'characters.scope.other-workspace-delete-rejected',
  'create-session-from-character': 'characters.scope.other-workspace-start-rejected',
  'get-voice': 'voices.scope.other-workspace-cannot-get',
  'clone-voice': 'audio-files.scope.other-workspace-excluded',
}

/**
 * "Characters, voices and uploaded files are scoped to the workspace identified by the API key" (1.6): a refusal that carries
 * what only the owner was told hands it over all the same. In a recording nobody knows which keys share a workspace.
 */
export const foreign: Rule = {
  id: 'errors.foreign',
  proves: Object.values(rows),
  judge(trace, report) {
    if (isRecording(trace)) return
    const things = thingsIn(trace)
    const tellings = countTellings(things)
    for (const record of trace.exchanges.values()) {
      const row = rows[record.operation as OperationId]
      const thing = things.get(namedIn(record) ?? '')
      if (row === undefined || thing === undefined || !isForeign(thing, record)) continue
      for (const { request, response } of record.attempts) {
        const body = response?.entry.body
        if (response === undefined || (envelopeOf(body)?.code ?? 0) === 0) continue
        const asked = [...textsIn(request.entry.body), decoded(request.entry.path)]
        // A refusal may say what was asked for.
        const isOwn = (text: string): boolean =>
          asked.some((one) => one.includes(text)) || text.endsWith(request.entry.path)
        const secrets = [...thing.told].filter((text) => tellings.get(text) === 1 && !isOwn(text))
        const shown = textsIn(body).find((text) => secrets.some((secret) => hands(text, secret)))
        if (shown === undefined) continue
        const lines = [...thing.lines.slice(0, 1), request.line, response.line]
        const expected = 'a refusal without what only the other workspace was told'
        report.broken(row, { expected, got: shown, lines, scenario: record.scenario })
      }
    }
  },
}

/** A session, character, voice or file, with what its owner was told of it. */
interface Thing {
  readonly workspaces: Set<string>
  readonly told: Set<string>
  readonly lines: number[]
}

const isForeign = ({ workspaces }: Thing, { key }: ExchangeRecord): boolean =>
  workspaces.size === 1 && [...workspaces].every((owner) => areApart(owner, key))

function thingsIn(trace: TraceIndex): ReadonlyMap<string, Thing> {
  const things = new Map<string, Thing>()
  for (const record of trace.exchanges.values()) {
    const id = madeBy(record)
    if (id === undefined) continue
    const thing = things.get(id) ?? {
      workspaces: new Set(),
      told: new Set(),
      lines: [],
    }
    things.set(id, thing)
    thing.workspaces.add(workspaceOf(record.key))
    note(record, id, thing)
  }
  for (const record of trace.exchanges.values()) {
    if (isAboutAnother(record)) continue
    const id = namedIn(record) ?? ''
    const thing = things.get(id)
    if (thing !== undefined && thing.workspaces.has(workspaceOf(record.key))) note(record, id, thing)
  }
  return things
}

/** What is made from a character or a file is told of, not they. */
const isAboutAnother = ({ operation }: ExchangeRecord): boolean =>
  operation === 'create-session-from-character' || operation === 'clone-voice'

function note({ attempts }: ExchangeRecord, id: string, { told, lines }: Thing): void {
  for (const { response } of attempts) {
    const body = response?.entry.body
    if (response === undefined || envelopeOf(body)?.code !== 0) continue
    lines.push(response.line)
    for (const text of textsIn(at(body, '/data'))) if (text !== id && isTelling(text)) told.add(text)
  }
}

/** By which member of its answer a thing is known that an operation makes. */
const ids: { readonly [operation in OperationId]?: string } = {
  'create-character': '/character_id',
  'upload-audio': '/file_id',
  'clone-voice': '/voice_id',
}

function madeBy(record: ExchangeRecord): string | undefined {
  const pointer = ids[record.operation as OperationId]
  const body = record.attempts.at(-1)?.response?.entry.body
  if (pointer === undefined) return createdSession(record)
  return envelopeOf(body)?.code === 0 ? textAt(body, `/data${pointer}`) : undefined
}

/** The thing that a request is about. */
function namedIn({ operation, attempts }: ExchangeRecord): string | undefined {
  const { path = '', body } = attempts[0]?.request.entry ?? {}
  if (operation === 'clone-voice') return textAt(body, '/file_id')
  if (operation === 'create-session-from-character') return textAt(body, '/character_id')
  const last = /^[^?]*\/(?:characters|voices)\/([^/?]+)/.exec(path)?.[1]
  return sessionIn(path) ?? (last === undefined ? undefined : decoded(last))
}

const shortest = 8
/** Within a sentence, shorter texts may be words of its own. */
const shortestWithin = 16

/** Whether a text of an answer is, or within a sentence tells, what the owner was told. */
const hands = (text: string, secret: string): boolean =>
  text === secret || (secret.length >= shortestWithin && text.includes(secret))

/** As RFC 3339, HTTP, and those who count seconds or milliseconds write them. */
const time = /^(?:\d{4}-\d\d-\d\d[T ].*|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .*|1\d{9}(?:\.\d+)?|1\d{12})$/

/** Words of the interface are short, and times may be those of the refusal. */
const isTelling = (text: string): boolean => text.length >= shortest && !time.test(text)

/** Of how many things each text was told: what is told of several is no secret of one. */
function countTellings(things: ReadonlyMap<string, Thing>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { told } of things.values()) for (const text of told) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
