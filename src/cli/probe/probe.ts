import { writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Ability, Profile } from '#spec/profile'
import type { JsonObject } from '#trace/json'
import { profileOfUrl } from '../profile/load-profile.ts'
import { schemaPath } from '../profile/starter-profile.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { rateHeaders, sessionsOpen } from './answers-seen.ts'
import { type Asked, askTarget, countOf } from './ask-target.ts'
import { commentedProfile } from './commented-profile.ts'
import type { ControlSeen } from './control-seen.ts'
import { operationAbilities, type OperationSeen, publicVoices, seeOperation } from './operations.ts'
import { notAsked, type Seen } from './seen.ts'
import { seeSessions } from './sessions.ts'
import { rowsAdded, whatEachAdds } from './what-it-adds.ts'

export interface InitOptions {
  /** Address of a target to ask what it offers. */
  readonly probe?: string
  readonly caFile?: string
  readonly imageUrl?: string
}

/** What a target shows of itself. */
export interface Shown {
  readonly abilities: ReadonlyMap<Ability, Seen>
  readonly control: ControlSeen | undefined
  /** Why no session could be created. */
  readonly refused: string | undefined
}

/**
 * Asks a target what it can, and writes a profile that explains itself.
 *
 * @returns the exit code
 * @throws Stop (2) for an address, key or file that cannot be used, (3) where nobody answers
 */
export async function probe(file: string, url: string, options: InitOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const profile = profileOfUrl(url, options, shell.env)
  const path = resolve(file)
  const { shown, asked } = await look(profile, shell.env, signal)
  if (signal.aborted) return 130
  if (asked.unreachable !== undefined) throw new Stop(3, `${asked.unreachable}; nothing is written`)
  write(path, commentedProfile({ values: valuesOf(profile, shown, path), notes: notesOf(profile, shown, asked) }))
  shell.out(summary(file, shown, asked))
  return asked.leaked.length > 0 ? 3 : 0
}

async function look(
  profile: Profile,
  environment: Shell['env'],
  signal: AbortSignal,
): Promise<{ readonly shown: Shown; readonly asked: Asked }> {
  const abilities = new Map<Ability, Seen>()
  let control: ControlSeen | undefined
  let refused: string | undefined
  const asked = await askTarget({
    profile,
    environment,
    signal,
    ask: async (context, tools) => {
      const seen = new Map<Ability, OperationSeen>()
      for (const ability of operationAbilities) {
        seen.set(ability, await seeOperation(context, ability, 'primary', tools))
      }
      for (const [ability, one] of seen) abilities.set(ability, one)
      abilities.set('public_voices', publicVoices(seen.get('voices') ?? notAsked))
      const sessions = await seeSessions(context, tools)
      for (const ability of ['video', 'resolution_480p', 'rtc_b', 'lite_model'] as const) {
        abilities.set(ability, sessions.abilities[ability])
      }
      control = sessions.control
      refused = sessions.refused
    },
  })
  abilities.set('tool_calls', { offered: undefined, why: 'only a model shows it, upon triggers.tool_call_text' })
  return { shown: { abilities, control, refused }, asked }
}

function valuesOf(profile: Profile, { abilities, control }: Shown, path: string): JsonObject {
  const values = {
    $schema: schemaPath(dirname(path)),
    ...profile,
    abilities: Object.fromEntries([...abilities].map(([name, { offered }]) => [name, offered !== false])),
    limits: { primary: { requests_per_minute: 60 } },
    ...(control?.foreign === true ? { control_hosts: [control.host ?? ''] } : {}),
    expected_failures: [],
  }
  return JSON.parse(JSON.stringify(values)) as JsonObject
}

function notesOf(profile: Profile, { abilities, control }: Shown, asked: Asked): ReadonlyMap<string, string> {
  const away = Object.fromEntries([...abilities].map(([name, { offered }]) => [name, offered !== false]))
  const notes = new Map(
    [...abilities].map(([name, { offered, why }]) => [`abilities.${name}`, `${verdictOf(offered)}: ${why}.`]),
  )
  for (const { field, rows } of whatEachAdds({ ...profile, abilities: away }, [])) {
    notes.set(field, `${rowsAdded(rows)}.`)
  }
  const open = sessionsOpen(asked.entries)
  const headers = rateHeaders(asked.entries)
  const seen = headers.length === 0 ? 'No header told a rate limit' : `The target sent ${headers.join(', ')}`
  notes.set('limits.primary', `${seen}; sessions open in its workspace: ${open ?? 'unknown'}.`)
  if (control?.foreign === true)
    notes.set('control_hosts', 'The control URL leads there: keep it only if the host is yours.')
  return notes
}

/** @param offered see {@link Seen} */
export function verdictOf(offered: boolean | undefined): string {
  if (offered === undefined) return 'Not known'
  return offered ? 'Offered' : 'Not offered'
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw usage(`${path} cannot be written: ${fileTrouble(error)}; give another file`)
  }
}

function summary(file: string, { abilities, control, refused }: Shown, asked: Asked): string {
  const width = Math.max(...[...abilities.keys()].map((name) => name.length))
  const lines = [...abilities].map(
    ([name, { offered, why }]) => `  ${name.padEnd(width)}  ${verdictOf(offered).toLowerCase()}: ${why}`,
  )
  const rows = [
    ...lines,
    ...(refused === undefined ? [] : [`No session could be created: the create was ${refused}.`]),
    ...(control === undefined
      ? []
      : [`Control channels are at ${control.host ?? 'no address'}${controlText(control)}.`]),
    ...(asked.stopped === undefined ? [] : [`Not all was asked: ${asked.stopped}.`]),
    ...asked.leaked.map((id) => `LEFT OPEN ${id}: run "npx greenroom cleanup".`),
    `${countOf(asked.requests)}; ${asked.leaked.length > 0 ? 'all else that was made' : 'what was made'} is closed.`,
    `${file} is written. Next: npx greenroom doctor --target ${file}, then: npx greenroom check --target ${file}`,
  ]
  return `${rows.join('\n')}\n`
}

function controlText({ opened, why }: ControlSeen): string {
  return opened ? ', which opened' : `: ${why}`
}
