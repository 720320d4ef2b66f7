import abilityTable from '../../schemas/abilities.json' with { type: 'json' }
import clientEventTable from '../../schemas/client-events.json' with { type: 'json' }
import errorCodeTable from '../../schemas/error-codes.json' with { type: 'json' }
import limitTable from '../../schemas/limits.json' with { type: 'json' }
import operationTable from '../../schemas/operations.json' with { type: 'json' }
import serverEventTable from '../../schemas/server-events.json' with { type: 'json' }
import type * as rows from './types/shapes.d.ts'

/** Kebab-case of a heading of section 4: `create-avatar-session`. */
export type OperationId = keyof typeof operationTable.operations
export type ClientEventType = keyof typeof clientEventTable.client_events
export type ServerEventType = keyof typeof serverEventTable.server_events
/** Code and name, as section 7 writes them: `20004 invalid parameter`. */
export type ErrorCodeName = keyof typeof errorCodeTable.error_codes
/** The limited field, by its path: `auto_close.disconnected_timeout_seconds`. */
export type LimitName = keyof typeof limitTable.limits

export type RequestShape = Extract<keyof rows.Shapes, `rest/${string}.request`>
export type QueryShape = Extract<keyof rows.Shapes, `rest/${string}.query`>
export type ResponseShape = Extract<keyof rows.Shapes, `rest/${string}.response`>

export interface Operation extends rows.Operation {
  readonly request: RequestShape | null
  readonly query?: QueryShape
  readonly response: ResponseShape | null
  readonly error_codes: ErrorCodeName[]
}

export interface ClientEventRow extends rows.ClientEventRow {
  readonly confirmed_by: ServerEventType[]
}

type Table<Id extends string, Row> = { readonly [id in Id]: Readonly<Row> }

export const operations = operationTable.operations as Table<OperationId, Operation>
export const clientEvents = clientEventTable.client_events as Table<ClientEventType, ClientEventRow>
export const serverEvents = serverEventTable.server_events as Table<ServerEventType, rows.ServerEventRow>
export const errorCodes = errorCodeTable.error_codes as Table<ErrorCodeName, rows.ErrorCode>
export const limits = limitTable.limits as typeof limitTable.limits & Table<LimitName, rows.Limit>
export const abilities = abilityTable.abilities

/** Ids of a table, in the order of the file. */
export function idsOf<Id extends string>(table: { readonly [id in Id]: unknown }): readonly Id[] {
  return Object.keys(table) as Id[]
}

export const isOperationId = within(operations)
export const isClientEventType = within(clientEvents)
export const isServerEventType = within(serverEvents)

function within<Id extends string>(table: { readonly [id in Id]: unknown }): (id: unknown) => id is Id {
  return (id): id is Id => typeof id === 'string' && Object.hasOwn(table, id)
}

/**
 * A mishap of the service or on the way to it (section 7: 5xx): whatever its code, it is none that speaks of the request.
 *
 * @param code undefined where no envelope came
 */
export function isMishap({ status, code }: { readonly status: number; readonly code: number | undefined }): boolean {
  return status >= 500 && (code === undefined || errorCodeNames(code).length === 0)
}

/** Names of a numeric code; two for 30004, none for a code that section 7 doesn't list. */
export function errorCodeNames(code: number): readonly ErrorCodeName[] {
  return namesByCode.get(code) ?? []
}

const namesByCode = Map.groupBy(idsOf(errorCodes), (name) => errorCodes[name].code)
