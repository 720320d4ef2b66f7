import type { AutoClose, Session, SessionStatus } from '../sessions/session.ts'

/** Why a session closes; the strings are free (6.2 "`reason` string"). */
export type CloseCause = 'request' | 'disconnected' | 'idle' | 'expiry' | 'service'

/** What may reset an automatic closure (4.1). */
export type Stimulus =
  | 'accepted'
  | 'refused'
  | 'unreadable'
  | 'user_speech'
  | 'pong'
  | 'server_event'
  | 'connect'
  | 'get'

/** The steps of a closure. */
export type CloseStep = 'response' | 'pending' | 'update' | 'session.closed' | 'disconnect'

/** 3.1 Avatar session status, and the automatic closures of 4.1. */
export const lifecycle = () => ({
  initial: 'active' as SessionStatus,
  /** "`active`, Close request: `closing`". */
  onClose: 'closing' as SessionStatus,
  /** "`closing`, Cleanup finishes: `closed`". */
  onCleanup: 'closed' as SessionStatus,
  /** What a cleanup does to the status; kept apart so that it may fail. */
  cleanupMs: 60,
  /** Milliseconds for which a closed session is still known. */
  forgetMs: 900_000,
  closable: (status: SessionStatus): boolean => status === 'active',
  /** "`session.closed` … attempted before remaining control connections are disconnected" (6.2). */
  closeOrder: ['pending', 'response', 'update', 'session.closed', 'disconnect'] as CloseStep[],
  disconnects: (_cause: CloseCause): boolean => true,
  /** "May be missed" (6.2). */
  announces: (_cause: CloseCause): boolean => true,
  /** Undefined = connections end without a code. */
  closeCode: 1000 as number | undefined,
  /** Whether connections break at a closure, without a word. */
  breaks: false,
  /** Milliseconds for which connections stay open behind `session.closed`. */
  lingerMs: 0,
  /** What the service ends itself becomes this at once, and stays it; `undefined` = as after a close request. */
  onService: undefined as SessionStatus | undefined,
  reasons: {
    request: 'client_request',
    disconnected: 'disconnected_timeout',
    idle: 'interaction_idle_timeout',
    expiry: 'session_expired',
    service: 'maintenance',
  } as Record<CloseCause, string>,
  closesBy: { request: true, disconnected: true, idle: true, expiry: true, service: true } as Record<
    CloseCause,
    boolean
  >,
  /** Milliseconds until expiry, from the duration in seconds; the plan tells sessions apart. */
  expiryMs: (maxDurationSeconds: number, _plan: object): number => maxDurationSeconds * 1000,
  disconnectedMs: (policy: AutoClose, _session: Session): number => policy.disconnectedSeconds * 1000,
  /** Whether the end of a connection starts the disconnected timeout. */
  disconnectedWhen: (connectionsLeft: number): boolean => connectionsLeft === 0,
  /** Other sessions that a close ends. */
  alsoCloses: (_session: Session, _all: Session[]): Session[] => [],
  /**
   * "The service may also close a session for account limits, idle timeout, failures or maintenance" (3.1): asked before
   * each client event is handled.
   */
  endsBefore: (_session: Session): boolean => false,
  /** Milliseconds from the creation of a session to its end for such a reason. */
  maintainedAfterMs: (_session: Session): number => Infinity,
  idleMs: (policy: AutoClose, _session: Session): number => policy.idleSeconds * 1000,
  /** Whether the end of the idle timeout ends the session, whoever is connected. */
  closesIdle: (_session: Session): boolean => true,
  /** "Counts time with no control connection, including never having opened one." */
  countsNeverConnected: true,
  countsAgainAfterDisconnect: true,
  /** "Accepted business events and user speech reset it; WSS ping/pong and server events do not." */
  resetsIdle: (stimulus: Stimulus): boolean => stimulus === 'accepted' || stimulus === 'user_speech',
  /** What starts the whole lifetime anew: nothing, the credential "cannot be refreshed" (5.3). */
  prolongs: (_stimulus: Stimulus): boolean => false,
  /** Only a connection stops the disconnected timeout. */
  stopsDisconnected: (stimulus: Stimulus): boolean => stimulus === 'connect',
})
