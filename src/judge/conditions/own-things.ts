import { workspaceOf } from '#spec/profile'
import { decoded } from '#trace/decoded'
import { stringAt } from '#trace/json'
import { answerOf } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'

/** "A voice id is used as" this (1.4). */
const voicePlace = '/pipeline_config/tts_config/tts_voice_id'

/** What belongs to a workspace (1.6), by which member its create tells the id, and where requests name it. */
const things = [
  { makes: 'create-character', member: 'character_id', place: '/character_id', path: /\/v1\/characters\/([^/?]+)/ },
  { makes: 'upload-audio', member: 'file_id', place: '/file_id', path: undefined },
  { makes: 'clone-voice', member: 'voice_id', place: voicePlace, path: /\/v1\/voices\/([^/?]+)/ },
] as const

/** By id, with its kind before it: the workspaces that made such a thing. */
const makersIn = readOnce((trace: TraceIndex): ReadonlyMap<string, ReadonlySet<string>> => {
  const makers = new Map<string, Set<string>>()
  for (const record of trace.exchanges.values()) {
    const answer = answerOf(record)
    const made = things.find(({ makes }) => makes === record.operation)
    const id = answer.kind === 'success' && made !== undefined ? stringAt(answer.data, `/${made.member}`) : undefined
    if (made === undefined || id === undefined || id === '') continue
    const name = `${made.member} ${id}`
    makers.set(name, (makers.get(name) ?? new Set()).add(workspaceOf(record.key)))
  }
  return makers
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
 * Whether the id that a request names is that of a thing of its own workspace as well as of another one: "characters, voices
 * and uploaded files are scoped to the workspace identified by the API key" (1.6), and so may their ids be. What is found is
 * its own then, unless that was deleted.
 */
export function namesOwnToo(trace: TraceIndex, record: ExchangeRecord | undefined): boolean {
  if (record === undefined) return false
  const workspace = workspaceOf(record.key)
  const asked = record.attempts[0]?.request.line ?? 0
  return namedIn(record).some((name) => {
    const makers = makersIn(trace).get(name)
    const deleted = deletedIn(trace).get(`${workspace} ${name}`) ?? Number.POSITIVE_INFINITY
    return makers !== undefined && makers.size > 1 && makers.has(workspace) && asked < deleted
  })
}
