import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '#spec/package-root'

/** A k6 that runs our scripts. */
export interface K6 {
  readonly path: string
  readonly version: string
}

/** Why there is none, in words for whoever asked. */
export interface NoK6 {
  readonly why: string
  /** Whether it could have been built, and wasn't. */
  readonly buildFailed: boolean
}

const suffix = process.platform === 'win32' ? '.exe' : ''

/** The module that pins k6, which no registry of npm has. */
const moduleFolder = (): string => join(packageRoot(), 'load/k6')

const ownPath = (): string => join(packageRoot(), `.greenroom/bin/k6${suffix}`)

/** `K6_BIN`, else a k6 v2 on the PATH, else the one that was built here. */
export function findK6(environment: NodeJS.ProcessEnv = process.env): K6 | NoK6 {
  const named = environment['K6_BIN']
  if (named !== undefined && named !== '') return askedFor(named)
  const found = versionIn(`k6${suffix}`)
  const why =
    found === SILENT
      ? `the k6 on the PATH ${SILENT}`
      : found === undefined
        ? 'there is no k6 on the PATH'
        : `the k6 on the PATH is ${unfit(found)}`
  return fit(`k6${suffix}`, found) ?? built() ?? no(why)
}

/** As `findK6`; builds the pinned one where there is none, which takes a minute or two, once. */
export function findOrBuildK6(say: (text: string) => void, environment: NodeJS.ProcessEnv = process.env): K6 | NoK6 {
  const found = findK6(environment)
  if (!('why' in found) || (environment['K6_BIN'] ?? '') !== '') return found
  if (spawnSync('go', ['version']).status !== 0) {
    return no(
      `${found.why}, and no Go to build it with. Load tests need one of them: set K6_BIN, or install k6 v2 or Go 1.25. All else works without`,
    )
  }
  say(`building k6 ${pinnedVersion()} with Go, once; this takes a minute or two`)
  return build()
}

function build(): K6 | NoK6 {
  const path = ownPath()
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  const flags = ['-mod=readonly', '-buildvcs=false', '-trimpath', '-ldflags=-s -w']
  const go = spawnSync('go', ['build', ...flags, '-o', fresh, 'go.k6.io/k6/v2'], {
    cwd: moduleFolder(),
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (go.status !== 0) {
    rmSync(fresh, { force: true })
    return { why: 'Go could not build k6: the lines above say why', buildFailed: true }
  }
  renameSync(fresh, path)
  return built() ?? { why: `Go built no k6 ${pinnedVersion()}`, buildFailed: true }
}

/** The k6 of this checkout, as long as it is the pinned one. */
function built(): K6 | undefined {
  const k6 = fit(ownPath(), versionIn(ownPath()))
  return k6?.version === pinnedVersion() ? k6 : undefined
}

function askedFor(path: string): K6 | NoK6 {
  const version = versionIn(path)
  if (version === SILENT) return no(`K6_BIN ${SILENT}: ${path}`)
  if (version === undefined) return no(`K6_BIN is no k6 v2: ${path}; let it name the binary of k6 v2, or unset it`)
  return fit(path, version) ?? no(`K6_BIN is k6 ${unfit(version)}`)
}

function fit(path: string, version: string | undefined): K6 | undefined {
  return version === undefined || !version.startsWith('v2.') ? undefined : { path, version }
}

/** It takes less than a second, but on a machine that has much else to do. */
const VERSION_S = 10

const SILENT = `was asked for its version and said nothing for ${VERSION_S} s`

/** What a k6 says of itself; undefined for what is no k6. */
function versionIn(path: string): string | undefined {
  const run = spawnSync(path, ['version'], { encoding: 'utf8', timeout: 1_000 * VERSION_S, killSignal: 'SIGKILL' })
  if (run.error !== undefined && 'code' in run.error && run.error.code === 'ETIMEDOUT') return SILENT
  return /^\S+ (v\d+\.\S+) \(go/.exec(run.stdout ?? '')?.[1]
}

const unfit = (version: string): string =>
  `${version}, which is too ${/^v[01]\./.test(version) ? 'old' : 'new'}: v2 is needed`

/** The k6 that this checkout pins, such as `v2.2.0`. */
export function pinnedVersion(): string {
  const version = /go\.k6\.io\/k6\/v2 (v\S+)/.exec(readFileSync(join(moduleFolder(), 'go.mod'), 'utf8'))?.[1]
  if (version === undefined) throw new Error('load/k6/go.mod does not require k6')
  return version
}

const no = (why: string): NoK6 => ({ why, buildFailed: false })
