import type { ScopedClient } from '#client/client'

/** More than the lag, in milliseconds: what is refused then was refused for another reason. */
const beyondLag_ms = 50

/** Waits until the whole service has heard that a connection or a session has ended. */
export function waitOutLag(scope: Pick<ScopedClient, 'wait'>, lag_ms: number): Promise<void> {
  return scope.wait(lag_ms + beyondLag_ms, 'lag')
}
