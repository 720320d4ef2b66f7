import { countAll } from '#report/counts'
import { readTrace } from '#trace/reader'
import { printable } from '#text/printable'
import { judgeTrace } from '../judge.ts'
import type { Shell } from '../shell.ts'
import type { OutFolder } from './out-folder.ts'

const failuresShown = 10

/** Says what a trace shows that broke off, such as on a full disk: that much was paid for. */
export async function tellWhatWasJudged(out: Pick<OutFolder, 'trace'>, shell: Shell): Promise<void> {
  try {
    const results = await judgeTrace(readTrace(out.trace), out.trace)
    const { pass, fail, warn } = countAll(results)
    const failed = results.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => printable(id))
    const more = failed.length > failuresShown ? ` and ${failed.length - failuresShown} more` : ''
    const names = failed.length === 0 ? '' : ` (${failed.slice(0, failuresShown).join(', ')}${more})`
    shell.err(`greenroom: until then ${pass} requirements had passed, ${fail} failed${names}, ${warn} warned\n`)
  } catch {
    shell.err('greenroom: nothing that was judged until then can be told\n')
  }
}
