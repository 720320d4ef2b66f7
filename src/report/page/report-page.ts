import { chartParts } from '#page/charts'
import { asset, document, type Section } from '#page/document'
import { html } from '#page/html'
import { conclude } from '../conclusion.ts'
import { allRows } from './all-rows.ts'
import { choices } from './choices.ts'
import { failures } from './failures.ts'
import { latencies } from './latencies.ts'
import { partsMatrix } from './parts-matrix.ts'
import { runHeader } from './run-header.ts'
import type { ComparedRun, ShownRun } from './shown-run.ts'
import { sideBySide } from './side-by-side.ts'
import { traffic } from './traffic.ts'
import { unjudged } from './unjudged.ts'

/**
 * `report.html`: one page that needs nothing but itself.
 *
 * @param others runs to set beside this one
 */
export function reportPage(run: ShownRun, others: readonly ComparedRun[] = []): string {
  const { results, trace } = run
  const sent = traffic(results, trace?.index)
  const own: ComparedRun = { results, index: trace?.index }
  const sections: readonly (Section | undefined)[] = [
    { id: 'parts', title: 'Parts', body: partsMatrix(run) },
    { id: 'broken', title: 'Broken', body: failures(run) },
    others.length === 0 ? undefined : { id: 'runs', title: 'Side by side', body: sideBySide([own, ...others]) },
    { id: 'unjudged', title: 'Not judged', body: unjudged(results) },
    { id: 'choices', title: 'Choices', body: choices(results) },
    { id: 'traffic', title: 'Traffic and pace', body: sent.markup },
    {
      id: 'latency',
      title: 'Latency',
      body:
        trace === undefined
          ? html`<p>Latency is read from the trace, which was not at hand.</p>`
          : html`<p>Reported, never judged.</p>${latencies(trace.index)}`,
    },
    { id: 'requirements', title: 'All requirements', body: allRows(run) },
  ]
  const charts = chartParts(sent.charts)
  return document({
    title: `${conclude(results, run).sentence.split(':')[0]}: ${results.target.base_url}`,
    styles: [...charts.styles, asset('src/report/page/browser/report.css')],
    scripts: [...charts.scripts, asset('src/report/page/browser/filter.js')],
    header: runHeader(run),
    sections: sections.filter((section) => section !== undefined),
    data: charts.data,
  })
}
