import type { RestAnswer } from '../envelope.ts'
import { broken, held, type Law, type Ruling } from './laws.ts'

type Check = readonly [law: Law, wrong: (answer: RestAnswer) => string | undefined]

const status = ({ status: got, code }: RestAnswer): string | undefined =>
  got === 429 ? undefined : `${code} under HTTP ${got}`

const unasked = ({ retryAfter, code }: RestAnswer): string | undefined =>
  retryAfter === undefined ? undefined : `${code} with a Retry-After`

const checks: { readonly [code: string]: readonly Check[] } = {
  '30006': [
    ['cap-wrong-status', status],
    ['cap-retry-after', unasked],
  ],
  '30008': [
    ['capacity-wrong-status', status],
    ['capacity-retry-after', unasked],
  ],
}

/** The form of refusals for want of a place or of capacity (section 7): "HTTP 429, no `Retry-After`". */
export function judgeRefusals(refusals: readonly RestAnswer[]): Ruling[] {
  return Object.entries(checks).flatMap(([code, list]) => {
    const answers = refusals.filter((answer) => answer.code === code)
    if (answers.length === 0) return []
    return list.map(([law, wrong]) => {
      const got = answers.map(wrong).find((one) => one !== undefined)
      return got === undefined ? held(law) : broken(law, got)
    })
  })
}
