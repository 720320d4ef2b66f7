import { workspaceOf } from '#spec/profile'
import { decoded } from '#trace/decoded'
import { below, stringAt } from '#trace/json'
import { answerOf } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'
import { isCountedBefore, type Made } from './counted-ids.ts'

/** "A voice id is used as" this (1.4). */
const voicePlace = '/pipeline_config/tts_config/tts_voice_id'

/** What belongs to a workspace (1.6), by which member its create tells the id, and where requests name it. */
const things = [
  { makes: 'create-character', member: 'character_id', place: '/character_id', path: /\/v1\/characters\/([^/?]+)/ },
  { makes: 'upload-audio', member: 'file_id', place: '/file_id', path: undefined },
  { makes: 'clone-voice', member: 'voice_id', place: voicePlace, path: /\/v1\/voices\/([^/?]+)/ },
] as const

/** What this run made, and the name that it gave it. */
const madeIn = readOnce((trace: TraceIndex): readonly (Made & { readonly called: string | undefined })[] =>
  [...trace.exchanges.values()].flatMap((record) => {
    const answer = answerOf(record)
    const made = things.find(({ makes }) => makes === record.operation)
    const id = answer.kind === 'success' && made !== undefined ? stringAt(answer.data, `/${made.member}`) : undefined
    if (made === undefined || id === undefined || id === '') return []
    const called = stringAt(record.attempts[0]?.request.entry.body, '/name')
    const sent = record.attempts[0]?.request.line ?? answer.line
    return [{ workspace: workspaceOf(record.key), kind: made.member, id, line: answer.line, sent, called }]
  }),
)

/** By id, with its kind before it: the workspaces that made such a thing. */
const makersIn = readOnce(
  (trace: TraceIndex): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(
      [...Map.groupBy(madeIn(trace), ({ kind, id }) => `${kind} ${id}`)].map(([name, made]) => [
        name,
        new Set(made.map(({ workspace }) => workspace)),
      ]),
    ),
)

/** Voices that a workspace is shown under another name than that which this run gave them, with the workspace before them. */
const calledOtherwiseIn = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const voices = Map.groupBy(
    madeIn(trace).filter(({ kind }) => kind === 'voice_id'),
    ({ id }) => id,
  )
  const others = new Set<string>()
  for (const record of trace.exchanges.values()) {
    if (record.operation !== 'get-voice' && record.operation !== 'list-voices') continue
    const answer = answerOf(record)
    for (const shown of answer.kind === 'success' ? below(answer.data) : []) {
      const [id, called] = [stringAt(shown, '/voice_id') ?? '', stringAt(shown, '/name') ?? '']
      const made = voices.get(id)
      const isOther =
        called !== '' && made !== undefined && made.every((one) => one.called !== undefined && one.called !== called)
      if (isOther) others.add(`${workspaceOf(record.key)} voice_id ${id}`)
    }
  }
  return others
})

/**
 * Things that a workspace is shown under the very name that this run gave them in another one, and nothing of its own, with the
 * workspace before them: they are that one's.
 */
const calledAsMadeIn = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const nameOf = (workspace: string, kind: string, called: string) => JSON.stringify([workspace, kind, called])
  const given = new Set(madeIn(trace).map(({ workspace, kind, called = '' }) => nameOf(workspace, kind, called)))
  const made = Map.groupBy(madeIn(trace), ({ id }) => id)
  const alike = new Set<string>()
  for (const record of trace.exchanges.values()) {
    if (!/^(get|list)-(voice|character)s?$/u.test(record.operation ?? '')) continue
    const [answer, workspace] = [answerOf(record), workspaceOf(record.key)]
    for (const shown of answer.kind === 'success' ? below(answer.data) : []) {
      const [id, called] = [stringAt(shown, '/voice_id') ?? stringAt(shown, '/character_id'), stringAt(shown, '/name')]
      if (id === undefined || called === undefined || called === '') continue
      for (const { kind } of made.get(id)?.filter((one) => one.called === called) ?? [])
        if (!given.has(nameOf(workspace, kind, called))) alike.add(`${workspace} ${kind} ${id}`)
    }
  }
  return alike
})

/** By name, with its workspace before it: the line at which a character was deleted. */
const deletedIn = readOnce((trace: TraceIndex): ReadonlyMap<string, number> => {
  const deletes = [...trace.exchanges.values()].filter(({ operation }) => operation === 'delete-character')
  return new Map(
    deletes.flatMap((record) => {
      const answer = answerOf(record)
      const names = answer.kind === 'success' ? namedIn(record) : []
      return names.map((name) => [`${workspaceOf(record.key)} ${name}`, answer.line] as const)
    }),
  )
})

/** The things that a request names, with their kinds before them. */
function namedIn({ attempts }: ExchangeRecord): readonly string[] {
  const { path = '', body } = attempts[0]?.request.entry ?? {}
  return things.flatMap(({ member, place, path: form }) => {
    const inPath = form?.exec(path)?.[1]
    const ids = [inPath === undefined ? undefined : decoded(inPath), stringAt(body, place)]
    return ids.flatMap((id) => (id === undefined ? [] : [`${member} ${id}`]))
  })
}

/**
 * Whether the id that a request names is, or may be, that of a thing of its own workspace as well as of another one:
 * "characters, voices and uploaded files are scoped to the workspace identified by the API key" (1.6), and so may their ids
 * be. What is found is its own then, unless that was deleted.
 */
export function namesOwnToo(trace: TraceIndex, record: ExchangeRecord | undefined): boolean {
  if (record === undefined) return false
  const workspace = workspaceOf(record.key)
  const asked = record.attempts[0]?.request.line ?? 0
  return namedIn(record).some((name) => {
    const deleted = deletedIn(trace).get(`${workspace} ${name}`) ?? Number.POSITIVE_INFINITY
    const isOthers = [...(makersIn(trace).get(name) ?? [])].some((maker) => maker !== workspace)
    return isOthers && asked < deleted && isOwnToo(trace, { workspace, name, line: asked })
  })
}

/** Whether a voice that another workspace made has the id of one of this workspace, too. @param line where it was asked for */
export function isOwnVoice(trace: TraceIndex, workspace: string, id: string, line: number): boolean {
  return isOwnToo(trace, { workspace, name: `voice_id ${id}`, line })
}

/** The same of a character. */
export function isOwnCharacter(trace: TraceIndex, workspace: string, id: string, line: number): boolean {
  return isOwnToo(trace, { workspace, name: `character_id ${id}`, line })
}

interface Asked {
  readonly workspace: string
  /** The id, with its kind before it. */
  readonly name: string
  readonly line: number
}

/** In this run it made one, or is shown one under another name; or in an earlier one it was given as many. */
function isOwnToo(trace: TraceIndex, { workspace, name, line }: Asked): boolean {
  if (makersIn(trace).get(name)?.has(workspace) === true) return true
  if (calledOtherwiseIn(trace).has(`${workspace} ${name}`)) return true
  if (calledAsMadeIn(trace).has(`${workspace} ${name}`)) return false
  const [kind = '', id = ''] = splitOnce(name)
  return isCountedBefore(madeIn(trace), { workspace, kind, id, line })
}

function splitOnce(name: string): readonly string[] {
  const place = name.indexOf(' ')
  return [name.slice(0, place), name.slice(place + 1)]
}
