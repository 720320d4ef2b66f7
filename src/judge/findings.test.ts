import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { collectFindings } from './findings.ts'
import type { Rule } from './rule.ts'
import { indexTrace } from './trace-index.ts'

test.each([undefined, 'watch' as const])(
  'a rule may spread its report and hold back some of it, recording: %s',
  (recording) => {
    const rule: Rule = {
      id: 'careful',
      proves: [],
      judge: (_trace, report) => {
        const careful = { ...report, held: () => undefined }
        careful.held()
        careful.broken('part.a.must', { expected: 'a', got: 'b', lines: [1] })
      },
    }
    const { entries } = new TraceBuilder(recording === undefined ? {} : { recording })
    const { mistakes, rows } = collectFindings(indexTrace(entries), [rule], () => true)
    expect(mistakes).toEqual([])
    expect(rows.get('part.a.must')).toMatchObject({ held: 0, breaches: [{ expected: 'a', got: 'b' }] })
  },
)
