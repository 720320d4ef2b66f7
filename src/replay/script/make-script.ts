import { creationOf } from '#scenario/journal/creations'
import { type OperationId, operations } from '#spec/tables'
import type { Entry } from '#trace/entry'
import { at, isObject, type Json } from '#trace/json'
import { keysIn, saysSpoiltKey } from '#trace/stand-ins'
import { givenIds, isSent, namesGiven, textsSent } from '../cut/ids.ts'
import { type Replay, requestsIn, stepsOf } from '../replay-file.ts'
import { kit } from './kit.ts'
import { linesOf } from './lines.ts'
import { quoted, spelled } from './literal.ts'

/** Whether one request alone shows the failure: a line for `curl` says all of it. */
export function isOneRequest(replay: Replay): boolean {
  const steps = stepsOf(replay, 'short')
  // No shell takes letters out of a key.
  if (steps.some((one) => one.kind === 'channel-open' || saysSpoiltKey(one))) return false
  return requestsIn(steps) === 1 || isAcceptedAlone(steps, replay.requirement)
}

/** What was to be rejected and was accepted shows it without its positive control, unless it names what the run made. */
function isAcceptedAlone(steps: readonly Entry[], requirement: string): boolean {
  const [claim, ...others] = steps
    .filter((one) => one.kind === 'claim')
    .filter((one) => one.requirement === requirement)
  if (claim?.condition.is !== 'rejected' || others.length > 0) return false
  const { exchange } = claim.condition
  const place = steps.findIndex((one) => one.kind === 'request' && one.exchange === exchange)
  const request = steps[place]
  return request !== undefined && !namesGiven(request, place, givenIds(steps))
}

/**
 * A script for Node, without any package, that sends the shortest sequence of a failure again, prints what comes and ends
 * what it made. For people: to read, to change, to paste into a bug report.
 *
 * @param profile as `results.json` shows it: names of environment variables, no values
 */
export function makeScript(replay: Replay, profile: Json): string {
  const steps = stepsOf(replay, 'short')
  const gates = isObject(at(profile, '/headers')) ? (at(profile, '/headers') as { readonly [name: string]: Json }) : {}
  const names = new Set(Object.keys(gates).map((name) => name.toLowerCase()))
  const lines = linesOf(steps, replay.run, { gates: names })
  return [
    ...comment(replay),
    ...throughProxy(profile),
    '',
    ...(steps.some((one) => one.kind === 'channel-open') ? [needsWebSocket] : []),
    `const base = ${quoted(replay.base_url.replace(/\/+$/, ''))}`,
    `const keys = {${keysOf(steps, profile)}}`,
    `const gates = {${Object.entries(gates)
      .map(([name, variable]) => ` ${quoted(name)}: env(${quoted(typeof variable === 'string' ? variable : name)}),`)
      .join('')} }`,
    '// Part of all ids, so that they are new each time.',
    `const run = String(Date.now()).slice(-${replay.run.length}).padStart(${replay.run.length}, '0')`,
    `const ends = {${endsOf(steps)}}`,
    'const [channels, made] = [[], new Map()]',
    '',
    'try {',
    ...lines.map((line) => indented(line)),
    '} finally {',
    '  await tidy()',
    '}',
    kit,
  ].join('\n')
}

function comment({ requirement, level, section, text, expected, got, versions }: Replay): readonly string[] {
  return [
    `// ${requirement} (${level.toUpperCase()}, section ${section})`,
    `// ${oneLine(text)}`,
    `//   expected: ${oneLine(expected)}`,
    `//   got:      ${oneLine(got)}`,
    `// Written by greenroom ${versions.greenroom}; node 22 or newer runs it. It ends what it makes.`,
  ]
}

/** The first thing that is missing in an older Node; said before anything is made. */
const needsWebSocket =
  "if (typeof WebSocket === 'undefined') stop('Node 22 or newer is needed, this is ' + process.version)"

/** Scripts know nothing of proxies, but node does. */
function throughProxy(profile: Json): readonly string[] {
  const proxy = at(profile, '/proxy')
  if (typeof proxy !== 'string') return []
  return [
    `// The run went through the proxy in $${oneLine(proxy)}; with node 24 or newer, so does this:`,
    `//   NODE_USE_ENV_PROXY=1 HTTPS_PROXY="$${oneLine(proxy)}" node THIS_FILE`,
  ]
}

function oneLine(text: string): string {
  return spelled(text.slice(0, 400)).slice(1, -1).replaceAll('\\"', '"')
}

/** Keys that the steps use, from the environment variables that the profile names. */
function keysOf(steps: readonly Entry[], profile: Json): string {
  const used = new Set<string>()
  for (const entry of steps) {
    if (entry.kind === 'request' && entry.key !== 'none' && entry.key !== 'malformed') used.add(entry.key)
    const texts = isSent(entry) ? textsSent(entry) : []
    for (const { key } of texts.flatMap(keysIn)) used.add(key)
  }
  const rows = [...used].map((name) => {
    const variable = at(profile, `/keys/${name}`)
    return ` ${name}: env(${quoted(typeof variable === 'string' ? variable : 'GREENROOM_API_KEY')}),`
  })
  return rows.length === 0 ? '' : `${rows.join('').slice(0, -1)} `
}

/** How what these steps make is ended. */
function endsOf(steps: readonly Entry[]): string {
  const made = new Set(
    steps.flatMap((entry) => (entry.kind === 'request' && entry.operation !== null ? [entry.operation] : [])),
  )
  const rows = [...made].flatMap((operation) => {
    const end = creationOf(operation as OperationId)?.end
    if (end === undefined) return []
    const [create, last] = [operations[operation as OperationId], operations[end.operation]]
    const fields = `id: ${quoted(end.param)}, method: ${quoted(last.method)}, path: ${quoted(last.path)}`
    return [`\n  ${quoted(`${create.method} ${create.path}`)}: { ${fields} },`]
  })
  return rows.length === 0 ? '' : `${rows.join('')}\n`
}

function indented(line: string): string {
  return line
    .split('\n')
    .map((one) => `  ${one}`)
    .join('\n')
}
