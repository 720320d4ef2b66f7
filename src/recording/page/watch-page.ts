import { sentenceOf } from '#judge/register'
import { asset, document } from '#page/document'
import { type Html, html, nothing } from '#page/html'
import { duration, number } from '#page/numbers'
import { badge, counted, figures, folded, table } from '#page/parts'
import { conclude } from '#report/conclusion'
import { countAll } from '#report/counts'
import { failures } from '#report/page/failures'
import { partsMatrix } from '#report/page/parts-matrix'
import { printable } from '#text/printable'
import type { ClientMistakes } from '../client/mistakes.ts'
import type { JudgedRecording } from '../judge-recording.ts'

/** What the page of `watch` shows. */
export interface WatchState extends JudgedRecording {
  readonly base_url: string
  readonly lines: number
  readonly held: number
  readonly setAside: number
}

/** The current state as one page that asks nobody for anything but for itself, again and again. */
export function watchPage(state: WatchState): string {
  const { results, mistakes } = state
  return page(state.base_url, header(state), [
    { id: 'broken', title: 'Broken', body: failures({ results, trace: undefined, text: sentenceOf, unlisted: true }) },
    { id: 'clients', title: 'Clients', body: clients(mistakes) },
    { id: 'parts', title: 'Parts', body: partsMatrix({ results, unlisted: true }) },
    { id: 'judging', title: 'How it is judged', body: judging(state) },
  ])
}

/** What is known before anything was judged. */
export interface BeforeJudged {
  readonly base_url: string
  readonly passed: boolean
}

/** The same before anything was judged. */
export function emptyPage({ base_url, passed }: BeforeJudged): string {
  const body = passed
    ? html`<p>What has passed so far is being judged: this page shows it in some seconds.</p>`
    : html`<p>Nothing has passed yet. Point a client to this address; what it sends goes on to the target unchanged.</p>`
  return page(base_url, html`<p class="over">Greenroom watch</p><h1>${printable(base_url)}</h1>${refreshButton}`, [
    { id: 'state', title: 'State', body },
  ])
}

const refreshButton = html`<p><button type="button" class="quiet" id="refresh" hidden>Stop refreshing</button></p>`

function page(base_url: string, head: Html, sections: Parameters<typeof document>[0]['sections']): string {
  return document({
    title: `Greenroom watch: ${printable(base_url)}`,
    styles: [asset('src/report/page/browser/report.css')],
    scripts: [asset('src/recording/page/browser/refresh.js')],
    header: head,
    sections,
    data: [],
  })
}

function header({ base_url, results, mistakes, lines }: WatchState): Html {
  // It has no end yet, which says nothing of what passed so far.
  const { exit, sentence } = conclude({ ...results, run: { ...results.run, outcome: 'completed' } })
  const tone = exit === 0 ? 'good' : exit === 1 ? 'bad' : 'warn'
  const word = exit === 0 ? 'nothing broken seen' : exit === 1 ? 'broken' : 'nothing judged yet'
  const counts = countAll(results)
  const { rest_requests, sessions_created, client_events, server_events } = results.traffic
  return html`<p class="over">Greenroom watch · ${duration(results.run.duration_ms)} · ${counted(lines, 'line')} of trace</p>
<div class="verdict"><h1>${printable(base_url)}</h1>${badge(tone, word)}</div>
<p><strong>${sentence}</strong></p>
${figures([
  { name: 'Held', value: number(counts.pass), note: `of ${counted(results.requirements.length, 'requirement')}` },
  { name: 'Broken', value: number(counts.fail), ...(counts.warn > 0 ? { note: `${counts.warn} warned` } : {}) },
  { name: 'Not observed', value: number(counts.inconclusive), note: `${counts.untestable} untestable` },
  { name: 'Mistakes of clients', value: number(mistakes.total) },
  { name: 'Requests', value: number(rest_requests), note: counted(sessions_created, 'session') },
  { name: 'Events', value: number(client_events + server_events), note: `${number(client_events)} sent` },
])}
${refreshButton}`
}

const words: { readonly [kind in ClientMistakes['kinds'][number]['kind']]: string } = {
  'invalid-event': 'Invalid events',
  'invalid-request': 'Invalid requests',
  'missing-key': 'Requests without a key',
  'secret-in-the-wrong-place': 'Secrets in the wrong place',
  'key-in-a-browser': 'API key in a browser',
  'retried-too-early': 'Sent before Retry-After was over',
}

function clients({ total, kinds }: ClientMistakes): Html {
  const note = html`<p>What clients did wrong is never the service's fault, and is in no verdict.</p>`
  if (total === 0) return html`${note}<p>No mistake of a client was seen.</p>`
  const one = ({ kind, count, examples }: (typeof kinds)[number]): Html =>
    folded(
      `${words[kind]}: ${number(count)}`,
      table(
        count > examples.length ? `${words[kind]}, the first ${examples.length}` : words[kind],
        [{ title: 'Line of the trace', numeric: true }, { title: 'What' }],
        examples.map(({ line, what }) => [line, printable(what, 400)]),
      ),
      { open: true, id: `mistake-${kind}` },
    )
  return html`${note}${kinds.map(one)}`
}

function judging({ held, lines, setAside }: WatchState): Html {
  const aside =
    setAside === 0
      ? nothing
      : html`<p>${counted(setAside, 'session')} grew too long to be held: of what followed in them only single events are judged.</p>`
  return html`<p>By the rules that judge every trace of a check, without a request of our own: a requirement that no client tried is not observed. ${number(held)} of ${number(lines)} lines are held for what comes next; the verdict on all others is entered for good.</p>${aside}`
}
