import type { RestCall } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { Call, Context } from './context.ts'

/** For what may be sent several times under one number: claims what is expected of it, once. */
export function numbered<Row extends RequirementId>(c: Context<Row>, { expect, ...call }: Call<Row>): RestCall {
  return expect === undefined ? call : { ...call, exchange: c.expect(expect, call.exchange) }
}
