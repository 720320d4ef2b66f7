import type { KeyName, Profile, Timeouts } from '#spec/profile'
import type { Redactor } from '#trace/redact'
import type { TraceWriter } from '#trace/writer'
import type { Bounds } from './bounds.ts'
import type { Clock } from './pace/clock.ts'
import type { LastNumbers } from './pace/numbers.ts'
import type { SentTimes } from './pace/pace.ts'

/** What a client needs to know of the target and the run. Values, not names of environment variables. */
export interface ClientOptions {
  readonly base_url: string
  readonly ca_pem?: string | undefined
  readonly keys: { readonly [name in KeyName]?: string }
  /** Extra headers on every request and upgrade. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** `http:` or `https:` URL of a proxy, with its credentials. */
  readonly proxy?: string | undefined
  readonly timeouts: Timeouts
  readonly limits?: Profile['limits'] | undefined
  /** Hosts outside the target's registrable domain that `control.url` may lead to. */
  readonly control_hosts?: readonly string[] | undefined
  readonly writer: TraceWriter
  /** The one that the writer uses. */
  readonly redactor: Redactor
  /** `greenroom/<version> run/<id>` */
  readonly user_agent: string
  /** REST requests that the run may send; cleanup may always go on. */
  readonly max_requests?: number | undefined
  /** Requests of `max_requests` to keep back for cleanup, as of now. Default none. */
  readonly reserve?: (() => number) | undefined
  /** Ends everything but cleanup. */
  readonly signal: AbortSignal
  /** Once it is aborted no request is sent but those of cleanup, and none waits for its turn; why, is its reason. */
  readonly enough?: AbortSignal | undefined
  /** Whether requests that are on their way when `signal` is aborted still get their answers; default: they are cut off. */
  readonly awaits_answers?: boolean | undefined
  readonly allow_insecure_loopback?: boolean | undefined
  /** Last numbers of an existing trace, see `resumeFrom`. */
  readonly start_numbers?: Partial<LastNumbers> | undefined
  /** When the keys sent their last requests, see `resumeFrom`. */
  readonly sent_times?: SentTimes | undefined
  /** Requests that other processes of the run sent, see `resumeFrom`: they count against `max_requests`. */
  readonly sent_before?: number | undefined
  readonly bounds?: Partial<Bounds> | undefined
  /** After which something is tried again that seems to have failed on the way; default `patientPauses`. */
  readonly pauses_ms?: readonly number[] | undefined
  /** Folder in which the bytes of uploaded files are kept, named by their sha256; kept nowhere where missing. */
  readonly uploads?: string | undefined
  /** For pace and retries; default the writer's time and real timers. */
  readonly clock?: Clock | undefined
}

/** What went over the wire so far. */
export interface ClientTraffic {
  /** HTTP requests that were written to a socket, upgrades excluded. */
  readonly rest_requests: number
  readonly client_events: number
  readonly server_events: number
  readonly by_key: { readonly [key: string]: { readonly rest_requests: number } }
}
