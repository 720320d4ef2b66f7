import { SharedArray } from 'k6/data'
import type { Words } from '../core/words.ts'

/**
 * The words of the interface, from the spec tables; k6 reads JSON by `open`, and only while it starts. Read once for all users.
 * @returns what tells them: in a bundle they stand in its code, and no user keeps them
 */
export function readWords(): () => Words {
  const events = new SharedArray('server events', () => {
    const { server_events } = read<{ server_events: { [type: string]: unknown } }>('server-events')
    return Object.keys(server_events)
  })
  const codes = new SharedArray('error codes', () => {
    const { error_codes } = read<{ error_codes: { [name: string]: { code: number } } }>('error-codes')
    return [...new Set(Object.values(error_codes).map(({ code }) => String(code)))]
  })
  return () => ({ serverEvents: [...events], errorCodes: [...codes] })
}

function read<Table>(name: string): Table {
  return JSON.parse(open(import.meta.resolve(`../../schemas/${name}.json`))) as Table
}
