/** What a fake service is asked. */
export interface ServiceRequest {
  readonly method: string
  readonly url: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface ServiceAnswer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** Milliseconds until it comes. */
  readonly after_ms?: number
}

/** The service's side of a socket. */
export interface ServiceSocket {
  send(frame: string): void
  close(code: number): void
  /** Without a close frame. */
  drop(): void
}

/** What a service does with a socket that it took. */
export interface SocketHandler {
  opened?(): void
  heard?(frame: string): void
  /** @param code of the close frame; undefined when none came */
  closed?(code: number | undefined): void
}

/** `open` gets the service's side; a refusal is answered like a request; `silence` never ends the handshake. */
export type UpgradeAnswer =
  | { readonly open: (socket: ServiceSocket) => SocketHandler; readonly after_ms?: number }
  | ServiceAnswer
  | 'silence'

/**
 * A service for load scripts, without a socket: it runs beside the fake k6 on simulated time, and behind a real server
 * beside a real k6.
 */
export interface FakeService {
  request(request: ServiceRequest): ServiceAnswer | 'silence'
  upgrade(request: ServiceRequest): UpgradeAnswer
}
