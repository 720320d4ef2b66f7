import type { Channel, ConnectCall, Exchange, RestCall } from '../client/types.ts'
import type { OperationId } from '../law/tables.ts'
import type { WaitEntry } from '../trace/entry.ts'
import type { Context } from './context.ts'

/** The part of the client that one scenario sees; what goes through it is recorded under the scenario's name. */
export interface Scope {
  exchange(): number
  channelNumber(): number
  mark(label: string): number
  readonly claim: Context['claim']
  rest(operation: OperationId, call?: RestCall): Promise<Exchange>
  connect(call: ConnectCall): Promise<Channel>
  wait(ms: number, why: WaitEntry['why']): Promise<void>
}
