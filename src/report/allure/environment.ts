import type { Results } from '#judge/results'
import type { AllureFile } from './model.ts'
import { conclude, type ConclusionOptions } from '../conclusion.ts'
import { columns, countAll } from '../counts.ts'
import { printable } from '#text/printable'

/** Allure counts scenarios; this table beside them counts requirements, as the terminal does. */
export function environmentFile(results: Results, options: ConclusionOptions): AllureFile {
  const { run, target, traffic } = results
  const counts = countAll(results)
  const pairs: readonly (readonly [string, string | number])[] = [
    ...columns.map((column) => [column, counts[column]] as const),
    ['conclusion', conclude(results, options).sentence],
    ['target', target.base_url],
    ['tier', run.tier],
    ['seed', run.seed],
    ['run', run.id],
    ['requests', traffic.rest_requests],
    ['greenroom', run.versions.greenroom],
    ['spec', run.versions.spec],
  ]
  const lines = pairs.map(([name, value]) => `${name}=${propertyValue(String(value))}\n`)
  return { name: 'environment.properties', content: lines.join('') }
}

/** As a Java properties file has it: one line, ASCII. */
function propertyValue(text: string): string {
  return printable(text)
    .replaceAll('\\', '\\\\')
    .replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Names for what Allure calls failed, broken and skipped. */
export function categoriesFile(): AllureFile {
  const categories = [
    { name: 'Not conformant', matchedStatuses: ['failed'] },
    { name: "Not judged, or Greenroom's own fault", matchedStatuses: ['broken'] },
    { name: 'Left out, or something stood in the way', matchedStatuses: ['skipped'] },
  ]
  return { name: 'categories.json', content: `${JSON.stringify(categories, undefined, 2)}\n` }
}
