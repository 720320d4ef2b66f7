import type { readBaseAddress } from '#client/base-address'
import type { Sockets } from '#client/sockets/sockets'
import type { Recorder } from '../traffic/recorder.ts'
import type { ControlUrls } from './control-urls.ts'

/** What a request or connection on its way needs to know. */
export interface Way {
  readonly base: ReturnType<typeof readBaseAddress>
  readonly sockets: Sockets
  readonly recorder: Recorder
  readonly controlUrls: ControlUrls
}
