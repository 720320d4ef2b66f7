import { chartParts, type Drawn } from '#page/charts'
import { document, type Section } from '#page/document'
import { html } from '#page/html'
import { nightChanges } from '../history/changes.ts'
import type { Night } from '../history/night.ts'
import { trendsOf } from '../history/trend.ts'
import type { LoadReport } from '../load-report.ts'
import { runsOnce } from '../results/kind.ts'
import { countTable, errorTable, lawTable, samples } from './findings.ts'
import { kneeOf } from './knee.ts'
import { overNights } from './nights.ts'
import { errorsOverTime, eventsOverTime, latencyOverTime, rateOverTime, sessionsOverTime } from './over-time.ts'
import { generator, header, latencyTable, objectives } from './overview.ts'

/**
 * `load.html`: one page that needs nothing but itself.
 *
 * @param nights earlier nights and this one, in order, as `history.jsonl` has them; empty without a history
 */
export function loadPage(report: LoadReport, nights: readonly Night[]): string {
  const rate = runsOnce(report) ? undefined : rateOverTime(report)
  const laws = lawTable(report)
  const latency = latencyOverTime(report)
  const sessions = sessionsOverTime(report)
  const events = eventsOverTime(report)
  const errors = errorsOverTime(report)
  const knee = report.knee === undefined ? undefined : kneeOf(report.knee)
  const trends = trendsOf(nights)
  const history = nights.length === 0 ? undefined : overNights(nights, trends)
  const drawn: readonly (Drawn | undefined)[] = [rate, latency, sessions, events, errors, knee, history]
  const sections: readonly (Section | undefined)[] = [
    { id: 'objectives', title: 'Objectives', body: objectives(report) },
    laws && { id: 'laws', title: 'Laws', body: laws },
    rate && { id: 'rate', title: 'Rate', body: rate.markup },
    { id: 'latency', title: 'Latency', body: html`${latencyTable(report)}${latency.markup}` },
    { id: 'sessions', title: 'Sessions and events', body: html`${sessions.markup}${events.markup}` },
    { id: 'errors', title: 'Errors', body: html`${errorTable(report)}${errors.markup}` },
    knee && { id: 'knee', title: 'Knee', body: knee.markup },
    { id: 'samples', title: 'Samples', body: samples(report) },
    history && { id: 'nights', title: 'Nights', body: history.markup },
    { id: 'generator', title: 'Generator', body: generator(report) },
    { id: 'counts', title: 'Counts', body: countTable(report) },
  ]
  return document({
    title: `${report.verdict}: ${report.scenario}, ${report.workload}`,
    header: header(report, nightChanges(nights, trends)),
    sections: sections.filter((section) => section !== undefined),
    ...chartParts(drawn.flatMap((one) => one?.charts ?? [])),
  })
}
