import type { KeyObject } from 'node:crypto'
import type { RegisterView } from '#judge/register-view'
import type { Results, Verdict } from '#judge/results'
import type { Trace } from '#trace/reader'
import { agree, type JointResult } from './agreement.ts'
import { type Carried, carriedNames, sha256 } from './file.ts'
import { keyIdOf, pemOf } from './keys.ts'
import { abilitiesOf } from './lacks.ts'
import { type Moment, momentsOf } from './moments.ts'

export const predicateType = 'https://greenroom.example/certificate/1'

/** What whoever signs says, and nothing in the certificate can bear out. */
export interface Stated {
  /** RFC 3339. */
  readonly issued: string
  /** Who asked for it. */
  readonly issued_by?: string
  readonly environment: { readonly node: string; readonly platform: string; readonly arch: string; readonly os: string }
}

type Column = Verdict | 'untestable'

/** What a certificate says; all but `Stated` follows from what it carries. */
export interface Predicate extends Stated {
  readonly greenroom: string
  readonly signer: { readonly key_id: string; readonly public_key: string }
  readonly target: {
    readonly base_url: string
    readonly abilities: { readonly offered: readonly string[]; readonly declared_away: readonly string[] }
  }
  readonly requirement_set: {
    readonly spec: string
    readonly version: string
    readonly digest: string
    readonly register: string
  }
  readonly runs: readonly CertifiedRun[]
  /** Rows by verdict, both runs together; apart from what was not judged what no client can judge. */
  readonly summary: { readonly [column in Column]?: number }
  readonly warned: readonly JointResult[]
  readonly not_judged: readonly JointResult[]
  /** sha256 (hex) of each carried file as it is packed. */
  readonly packed: { readonly [name: string]: string }
}

export interface CertifiedRun extends Pick<Results['run'], 'id' | 'seed' | 'tier' | 'date' | 'duration_ms'> {
  readonly rest_requests: number
  readonly moments: readonly Moment[]
}

/** An in-toto Statement (v1) about the carried files. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1'
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[]
  readonly predicateType: string
  readonly predicate: Predicate
}

/** All that a Statement follows from. */
export interface Material {
  readonly carried: Carried
  readonly packed: { readonly [name: string]: Buffer }
  /** The results of the carried traces. */
  readonly results: readonly [Results, Results]
  readonly traces: readonly [Trace, Trace]
  readonly register: RegisterView
  readonly stated: Stated
  /** Either half. */
  readonly key: KeyObject
}

/** The bytes that are signed: the same material gives the same bytes, whoever writes them. */
export function statementText(material: Material): string {
  const { carried } = material
  const statement: Statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: carriedNames.map((name) => ({ name, digest: { sha256: sha256(carried[name]) } })),
    predicateType,
    predicate: predicateOf(material),
  }
  return JSON.stringify(statement)
}

function predicateOf({ packed, results, traces, register, stated, key }: Material): Predicate {
  const [first, second] = results
  const { rows } = agree(first, second)
  const columnOf = ({ id, verdict }: JointResult): Column =>
    verdict === 'inconclusive' && register.rows.get(id)?.standing === 'untestable' ? 'untestable' : verdict
  return {
    issued: stated.issued,
    ...(stated.issued_by === undefined ? {} : { issued_by: stated.issued_by }),
    environment: stated.environment,
    greenroom: first.run.versions.greenroom,
    signer: { key_id: keyIdOf(key), public_key: pemOf(key) },
    target: { base_url: first.target.base_url, abilities: abilitiesOf(first.target.profile, register) },
    requirement_set: {
      spec: first.run.versions.spec,
      version: first.run.release.version,
      digest: first.run.release.digest,
      register: first.run.register,
    },
    runs: [certifiedRun(first, traces[0]), certifiedRun(second, traces[1])],
    summary: countsOf(rows.map(columnOf)),
    warned: rows.filter((row) => columnOf(row) === 'warn'),
    not_judged: rows.filter((row) => columnOf(row) === 'inconclusive'),
    packed: Object.fromEntries(carriedNames.map((name) => [name, sha256(packed[name] ?? '')])),
  }
}

function certifiedRun({ run, traffic }: Results, trace: Trace): CertifiedRun {
  const { id, seed, tier, date, duration_ms } = run
  const moments = momentsOf(trace.entries)
  return { id, seed, tier, date, duration_ms, rest_requests: traffic.rest_requests, moments }
}

function countsOf(all: readonly Column[]): Predicate['summary'] {
  const groups = Map.groupBy(all, (column) => column)
  return Object.fromEntries([...groups].map(([column, rows]) => [column, rows.length]))
}
