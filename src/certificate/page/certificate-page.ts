import { document } from '#page/document'
import { type Html, html, nothing } from '#page/html'
import { duration, moment, number } from '#page/numbers'
import { badge, copyable, counted, figures, folded, prose, table } from '#page/parts'
import { printable } from '#text/printable'
import type { ReasonCode } from '#trace/entry'
import type { JointResult } from '../agreement.ts'
import type { Predicate } from '../statement.ts'
import { unproven } from '../unproven.ts'
import type { Verified } from '../verify.ts'
import { qrCode } from './qr-code.ts'

type TextOf = (id: string) => string | undefined

/**
 * The page for people beside a certificate: self-contained, without any request.
 *
 * @param file name of the certificate, as a reader would type it: without its folder, which says where the signer kept it
 * @param textOf the sentence of a requirement
 */
export function certificatePage(verified: Verified, file: string, textOf: TextOf): string {
  const { predicate } = verified
  return document({
    title: `Certificate: ${predicate.target.base_url}`,
    styles: [],
    scripts: [],
    header: header(predicate),
    sections: [
      { id: 'runs', title: 'When', body: runs(predicate) },
      { id: 'abilities', title: 'Abilities', body: abilities(predicate) },
      { id: 'unjudged', title: 'Not judged', body: unjudged(predicate) },
      ...(predicate.warned.length === 0 ? [] : [{ id: 'warned', title: 'Warned', body: warned(predicate, textOf) }]),
      { id: 'digest', title: 'Digest', body: digest(verified, file) },
      { id: 'unproven', title: 'What it does not prove', body: list(unproven({ ...verified, keyGiven: false })) },
    ],
    data: [],
  })
}

function header({ target, requirement_set: set, issued, issued_by, summary, greenroom }: Predicate): Html {
  const by = issued_by === undefined ? '' : `, by ${printable(issued_by)}`
  const all = Object.values(summary).reduce((sum, count) => sum + count, 0)
  return html`<p class="over">Greenroom certificate · issued ${moment(issued)}${by}</p>
<div class="verdict"><h1>${printable(target.base_url)}</h1>${badge('good', 'conformant')}</div>
<p><strong>In two complete runs this service kept every ${(summary.warn ?? 0) === 0 ? 'requirement' : 'MUST'} that was judged: interface ${set.spec}, requirement set ${set.version}.${notKept(summary.warn ?? 0)}${leftOut(target)}</strong></p>
${figures([
  { name: 'Passed', value: number(summary.pass ?? 0), note: `of ${number(all)} requirements` },
  { name: 'Failed', value: 0 },
  { name: 'Warned', value: number(summary.warn ?? 0) },
  {
    name: 'Not judged',
    value: number(summary.inconclusive ?? 0),
    note: `${number(summary.untestable ?? 0)} untestable, ${number(summary.not_applicable ?? 0)} not applicable`,
  },
  { name: 'Requirement set', value: set.version, note: `Greenroom ${printable(greenroom)}` },
])}`
}

const columns = [
  { title: 'Run' },
  { title: 'Begun', numeric: true },
  { title: 'Took', numeric: true },
  { title: 'Tier' },
  { title: 'Seed', numeric: true },
  { title: 'Requests', numeric: true },
  { title: 'Our clock / Date header of the service', numeric: true },
]

/** To the second, in UTC; the day only where it is another one than that of the run. */
function clock(date: string, run: string): string {
  const time = Date.parse(date)
  if (Number.isNaN(time)) return printable(date)
  const [day = '', hours = ''] = new Date(time).toISOString().slice(0, 19).split('T')
  return run.startsWith(day) ? hours : `${day} ${hours}`
}

function runs({ runs: all, environment }: Predicate): Html {
  const { node, platform, arch, os } = environment
  const rows = all.map(({ id, seed, tier, date, duration_ms, rest_requests, moments }) => [
    printable(id),
    moment(date),
    duration(duration_ms),
    tier,
    seed,
    number(rest_requests),
    moments.length === 0
      ? 'the target told no time'
      : html`${moments.map(({ ours, target }) => html`<div>${clock(ours, date)} / ${clock(target, date)}</div>`)}`,
  ])
  return html`${table('The two runs that agree', columns, rows)}<p class="soft">Run with Node ${printable(node)} on ${printable(platform)} ${printable(arch)} (${printable(os)}).</p>`
}

function abilities({ target: { abilities: known } }: Predicate): Html {
  return html`<p>Offered and judged: ${namesOf(known.offered)}.</p><p>Declared away, and not judged: ${namesOf(known.declared_away)}.</p>`
}

const whyUnjudged: { readonly [code in ReasonCode]?: string } = {
  passive: 'nothing that a client sends causes it',
  tier: 'not reached in this tier',
  model_choice: 'the service may choose, and chose otherwise',
  missing_trigger: 'the profile names no input that causes it',
  missing_key: 'the profile gives no key for it',
  missing_media: 'the profile gives no medium for it',
  prerequisite: 'something that has to come before it did not come about',
}

function unjudged({ not_judged, summary: { untestable = 0 } }: Predicate): Html {
  const beyond = html`<p>${counted(untestable, 'more requirement')} cannot be judged by any client.</p>`
  if (not_judged.length === 0) return html`<p>Everything that applies was judged.</p>${beyond}`
  const groups = [...Map.groupBy(not_judged, ({ reason_code = 'prerequisite' }) => reason_code)]
  return html`<p>${counted(not_judged.length, 'requirement')} could not be judged in either run; nothing is said of them.</p>${groups.map(([code, rows]) => folded(`${counted(rows.length, 'requirement')}: ${whyUnjudged[code] ?? code}`, rowList(rows)))}${beyond}`
}

function warned({ warned: rows }: Predicate, textOf: TextOf): Html {
  return html`<p>Recommendations of the interface (SHOULD) that were not kept.</p>${rowList(rows, textOf)}`
}

/** A broken SHOULD stands in the way of no certificate, and no sentence calls it kept. */
function notKept(count: number): string {
  return count === 0 ? '' : ` ${counted(count, 'SHOULD', 'SHOULDs')} ${count === 1 ? 'was' : 'were'} not, see “Warned”.`
}

/** Whoever reads no further has to know that only a part was looked at. */
function leftOut({ abilities: { declared_away: away } }: Predicate['target']): string {
  return away.length === 0 ? '' : ` Declared away, and not judged: ${namesOf(away)}.`
}

const namesOf = (all: readonly string[]): string =>
  all.length === 0 ? 'none' : all.map((one) => printable(one)).join(', ')

/** What was broken is told by its sentence: an id alone says little to whoever reads a certificate. */
function rowList(rows: readonly JointResult[], textOf: TextOf = () => undefined): Html {
  const sentence = (text: string | undefined): Html => (text === undefined ? nothing : html`<br>${prose(text)}<br>`)
  const one = ({ id, level, section, reason }: JointResult): Html =>
    html`<li><span class="mono">${printable(id)}</span> ${level.toUpperCase()} §${printable(section)} ${sentence(textOf(id))}<span class="soft">${printable(reason, 200)}</span></li>`
  return html`<ul>${rows.map(one)}</ul>`
}

function digest({ digest: sum, predicate: { signer, requirement_set: set } }: Verified, file: string): Html {
  const text = `sha256:${sum}`
  return html`<p>Of the file ${printable(file)}, which holds the evidence:</p>${copyable('digest', text)}
<p>${qrCode('The digest as a QR code', text)}</p>
<p>Signed with the key:</p>${copyable('key', signer.key_id)}
<p>Requirement set ${set.version}:</p>${copyable('digest of the requirement set', `sha256:${set.digest}`)}
<p>This page proves nothing by itself. Whoever has the file verifies it without network:</p>${copyable('command', `npx greenroom verify ${file} --key vendor.key.pub`)}`
}

function list(sentences: readonly string[]): Html {
  return sentences.length === 0 ? nothing : html`<ul>${sentences.map((one) => html`<li>${printable(one)}</li>`)}</ul>`
}
