import type { ScopedClient } from '#client/client'
import type { RequirementId } from '#spec/register'
import type { AnyContext, Call } from '../author/context.ts'
import { asWritten } from '../author/expectation.ts'

/** What a call is sent with, and what is expected of it. */
type Sending = Pick<Call<RequirementId>, 'expect' | 'exchange'>

interface Claims extends Pick<AnyContext, 'claim' | 'expect'> {
  /** The call without what is expected, which is claimed at once under the number that the call gets. */
  readonly numbered: <Options extends Sending>(options: Options) => Omit<Options, 'expect'>
}

/** @param check throws where nothing may be claimed any more */
export function claimsOf(scope: Pick<ScopedClient, 'claim' | 'exchange'>, check: () => void): Claims {
  const claim: Claims['claim'] = (requirement, condition, terms = {}) => {
    check()
    scope.claim({ requirement, condition, ...asWritten(terms) })
  }
  const expect: Claims['expect'] = (expectation, exchange = scope.exchange()) => {
    for (const one of [expectation].flat()) {
      for (const { row, condition, terms } of one(exchange)) claim(row, condition, terms)
    }
    return exchange
  }
  return {
    claim,
    expect,
    numbered: ({ expect: expected, ...rest }) =>
      expected === undefined ? rest : { ...rest, exchange: expect(expected, rest.exchange) },
  }
}
