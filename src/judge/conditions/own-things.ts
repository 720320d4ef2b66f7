import { workspaceOf } from '#spec/profile'
import { decoded } from '#trace/decoded'
import { below, stringAt } from '#trace/json'
import { answerOf } from '../answers.ts'
import { exchangesOf } from '../operations.ts'
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

/** Something by its id, and by the member that tells it. */
type Thing = Pick<Made, 'kind' | 'id'>

const nameOf = ({ kind, id }: Thing): string => `${kind} ${id}`

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

/** What this run made, by id with its kind before it. */
const madeByName = readOnce((trace: TraceIndex) => Map.groupBy(madeIn(trace), nameOf))

/** The same: the workspaces that made such a thing. */
const makersIn = readOnce(
  (trace: TraceIndex): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(
      [...madeByName(trace)].map(([name, made]) => [name, new Set(made.map(({ workspace }) => workspace))] as const),
    ),
)

/** What is read, and which member tells its id. */
const reads = [
  ['get-voice', 'voice_id'],
  ['list-voices', 'voice_id'],
  ['get-character', 'character_id'],
  ['list-characters', 'character_id'],
] as const

interface Shown extends Thing {
  readonly workspace: string
  readonly called: string
}

/** Voices and characters with names, as workspaces are shown them. */
const shownIn = readOnce((trace: TraceIndex): readonly Shown[] =>
  reads.flatMap(([operation, kind]) =>
    exchangesOf(trace, operation).flatMap((record) => {
      const answer = answerOf(record)
      if (answer.kind !== 'success') return []
      return below(answer.data).flatMap((shown) => {
        const [id, called = ''] = [stringAt(shown, `/${kind}`), stringAt(shown, '/name')]
        return id === undefined || called === '' ? [] : [{ workspace: workspaceOf(record.key), kind, id, called }]
      })
    }),
  ),
)

/** Voices that a workspace is shown under another name than that which this run gave them, with the workspace before them. */
const calledOtherwiseIn = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const made = madeByName(trace)
  const isOther = ({ called, ...thing }: Shown): boolean =>
    made.get(nameOf(thing))?.every((one) => one.called !== undefined && one.called !== called) ?? false
  const others = shownIn(trace).filter((shown) => shown.kind === 'voice_id' && isOther(shown))
  return new Set(others.map((shown) => `${shown.workspace} ${nameOf(shown)}`))
})

/**
 * Things that a workspace is shown under the very name that this run gave them in another one, and nothing of its own, with the
 * workspace before them: they are that one's.
 */
const calledAsMadeIn = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const calledBy = ({
    workspace,
    kind,
    called = '',
  }: {
    workspace: string
    kind: string
    called?: string | undefined
  }) => JSON.stringify([workspace, kind, called])
  const given = new Set(madeIn(trace).map(calledBy))
  const made = madeByName(trace)
  const alike = shownIn(trace).filter(
    (shown) => made.get(nameOf(shown))?.some(({ called }) => called === shown.called) && !given.has(calledBy(shown)),
  )
  return new Set(alike.map((shown) => `${shown.workspace} ${nameOf(shown)}`))
})

/** By name, with its workspace before it: the line at which a character was deleted. */
const deletedIn = readOnce((trace: TraceIndex): ReadonlyMap<string, number> => {
  return new Map(
    exchangesOf(trace, 'delete-character').flatMap((record) => {
      const answer = answerOf(record)
      const named = answer.kind === 'success' ? namedIn(record) : []
      return named.map((thing) => [`${workspaceOf(record.key)} ${nameOf(thing)}`, answer.line] as const)
    }),
  )
})

/** The things that a request names. */
function namedIn({ attempts }: ExchangeRecord): readonly Thing[] {
  const { path = '', body } = attempts[0]?.request.entry ?? {}
  return things.flatMap(({ member: kind, place, path: form }) => {
    const inPath = form?.exec(path)?.[1]
    const ids = [inPath === undefined ? undefined : decoded(inPath), stringAt(body, place)]
    return ids.flatMap((id) => (id === undefined ? [] : [{ kind, id }]))
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
  return namedIn(record).some((thing) => {
    const deleted = deletedIn(trace).get(`${workspace} ${nameOf(thing)}`) ?? Number.POSITIVE_INFINITY
    const isOthers = [...(makersIn(trace).get(nameOf(thing)) ?? [])].some((maker) => maker !== workspace)
    return isOthers && asked < deleted && isOwnToo(trace, { ...thing, workspace, line: asked })
  })
}

/** Whether a voice that another workspace made has the id of one of this workspace, too. @param line where it was asked for */
export function isOwnVoice(trace: TraceIndex, workspace: string, id: string, line: number): boolean {
  return isOwnToo(trace, { workspace, kind: 'voice_id', id, line })
}

/** The same of a character. */
export function isOwnCharacter(trace: TraceIndex, workspace: string, id: string, line: number): boolean {
  return isOwnToo(trace, { workspace, kind: 'character_id', id, line })
}

/** In this run it made one, or is shown one under another name; or in an earlier one it was given as many. */
function isOwnToo(trace: TraceIndex, asked: Omit<Made, 'sent'>): boolean {
  const name = nameOf(asked)
  if (makersIn(trace).get(name)?.has(asked.workspace) === true) return true
  if (calledOtherwiseIn(trace).has(`${asked.workspace} ${name}`)) return true
  if (calledAsMadeIn(trace).has(`${asked.workspace} ${name}`)) return false
  return isCountedBefore(madeIn(trace), asked)
}
