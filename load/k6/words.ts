import type { Words } from '../core/converse-measures.ts'

/** The words of the interface, from the law; k6 reads JSON by `open`, and only while it starts. */
export function readWords(): Words {
  const { server_events } = read<{ server_events: { [type: string]: unknown } }>('server-events')
  const { error_codes } = read<{ error_codes: { [name: string]: { code: number } } }>('error-codes')
  const codes = Object.values(error_codes).map(({ code }) => String(code))
  return { serverEvents: Object.keys(server_events), errorCodes: [...new Set(codes)] }
}

function read<Table>(name: string): Table {
  return JSON.parse(open(import.meta.resolve(`../../schemas/${name}.json`))) as Table
}
