/** A REST request that is refused: its code of section 7, and the HTTP status this service has chosen. */
export class Refusal extends Error {
  readonly code: number
  readonly status: number
  readonly headers: Record<string, string>

  constructor(code: number, message: string, status = 200, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.status = status
    this.headers = headers
  }
}
