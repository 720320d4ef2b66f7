import type { WebSocket } from 'ws'
import type { CredentialForm, Session } from '../sessions/session.ts'
import type { JsonObject } from '../wire.ts'

/** One attempt to open the control channel. */
export interface Attempt {
  path: string
  sessionId: string | undefined
  token: string | undefined
  /** The session that `session_id` names. */
  session: Session | undefined
  now: number
  form: CredentialForm | undefined
  /** Whether a token was given that is empty. */
  emptyToken: boolean
  /** The session that the token belongs to. */
  owner: () => Session | undefined
}

export type AdmissionId =
  | 'path-unknown'
  | 'token-missing'
  | 'session-unknown'
  | 'token-wrong'
  | 'session-closed'
  | 'session-expired'
  | 'session-unready'

/** Who learns of a confirmation: whether one or all is not said. */
export type Audience = 'all' | 'sender' | 'others'

/** 4.4 and 5.2: opening the control channel. */
export const channel = () => ({
  /** 9.1: "The avatar control channel path is `/v1/realtime-avatar/control`." */
  path: '/v1/realtime-avatar/control',
  /** 5.2: "the query parameter named `token` (not `client_secret`)", or a bearer header. */
  credentials: ['query', 'header'] as CredentialForm[],
  tokenParameters: ['token'],
  sessionParameter: 'session_id',
  /** Whether a session is also found by its token. */
  findsByToken: false,
  admissionOrder: [
    'path-unknown',
    'token-missing',
    'session-unknown',
    'token-wrong',
    'session-closed',
    'session-expired',
    'session-unready',
  ] as AdmissionId[],
  /** Each is true when the attempt must be refused. */
  admission: {
    'path-unknown': (attempt: Attempt): boolean => attempt.path !== '/v1/realtime-avatar/control',
    'token-missing': (attempt: Attempt): boolean => attempt.token === undefined,
    'session-unknown': (attempt: Attempt): boolean => attempt.session === undefined,
    'token-wrong': (attempt: Attempt): boolean =>
      attempt.session !== undefined && attempt.token !== undefined && attempt.token !== attempt.session.secret,
    /** 5.3: "stops working when the session closes or expires". */
    'session-closed': (attempt: Attempt): boolean =>
      attempt.session !== undefined && attempt.session.status !== 'active',
    'session-expired': (attempt: Attempt): boolean =>
      attempt.session !== undefined && attempt.now >= attempt.session.expiresAt,
    /** Whether what serves the channel does not know the session yet. */
    'session-unready': (_attempt: Attempt): boolean => false,
  } as Record<AdmissionId, (attempt: Attempt) => boolean>,
  /** Not shown: an HTTP status, or an accepted socket that is closed at once. */
  refusal: 'status' as 'status' | 'close',
  refusalStatuses: {
    'path-unknown': 404,
    'token-missing': 401,
    'session-unknown': 404,
    'token-wrong': 401,
    'session-closed': 410,
    'session-expired': 410,
    'session-unready': 503,
  } as Record<AdmissionId, number>,
  refusalCloseCode: 1008,
  /** What is said on an accepted socket before it is closed, and how many milliseconds that takes. */
  refusalWords: undefined as JsonObject | undefined,
  refusalMs: 0,
  /** What happens to a connection when another one opens; 5.3 allows reconnecting, and several live side by side. */
  replacesOlder: false,
  /** The sessions on whose connections an event of a session goes out. */
  listeners: (session: Session, _all: Iterable<Session>): Iterable<Session> => [session],
  /** Whether one connection that ends takes the others of its session with it. */
  endsTogether: false,
  /** What a connection that ends takes with it, and of which nothing more comes then: the active response, or the one that waits. */
  takesAlong: undefined as 'active' | 'pending' | undefined,
  /** What a new connection does to its session; looked at before the connection counts. */
  onConnect: (_session: Session): void => undefined,
  confirmations: 'all' as Audience,
  errors: 'sender' as Audience,
  /** "Most errors are recoverable and do not close the session" (6.2): whether an error of this code about this type ends it. */
  endsOnError: (_type: string, _code: string | undefined): boolean => false,
  /** How long after its error such a connection ends. */
  endsOnErrorMs: 0,
  /** Whether the refusal of an event of this type cuts the active response. */
  refusalCuts: (_type: string): boolean => false,
  /** Whether the connection is asked to open again elsewhere, by its close, before an event on it is handled. */
  movesBefore: (_session: Session): boolean => false,
  moveCode: 1012,
  /** Milliseconds that an upgrade takes. */
  upgradeMs: 0,
  /** Bytes in a fragment of a message; 0 = messages are whole. */
  fragmentBytes: 0,
  /** Whether an empty frame stands between fragments, and ends the message. */
  emptyFragments: false,
  /** Milliseconds for which events are gathered before they go out together; 0 = each goes out by itself. */
  bunchMs: 0,
  /** Milliseconds before an event goes out. */
  delayMs: (_event: JsonObject): number => 0,
  /** Milliseconds by which one connection hears an event later than it happens; what it hears stays in order. */
  lagMs: (_connection: object, _session: Session): number => 0,
  deflate: false,
  /** Whether a binary message is read as if it were text. */
  readsBinary: false,
  /** Whether an event goes out as a binary frame. */
  sendsBinary: (_event: JsonObject): boolean => false,
  /** Whether the connections break once an event went out on them. */
  breaksAfter: (_event: JsonObject): boolean => false,
  /** How an event is written. */
  encode: (event: JsonObject): string => JSON.stringify(event),
  /** Milliseconds between pings of the server; 0 = none. */
  pingMs: 0,
  /** What the server sends then. */
  beat: (socket: WebSocket): void => socket.ping(),
  /** Milliseconds without a message of the client after which a connection is closed by 1001; 0 = it stays open. */
  quietMs: 0,
  /** Milliseconds before the service knows that a connection has ended. */
  leaveMs: 0,
  maxFrameBytes: 32 * 1024 * 1024,
  /** Milliseconds before a client event is handled. */
  reactionMs: 0,
  /** Milliseconds for which an event is put off, asked again when they are over; events behind it are not held up. */
  putOffMs: (_session: Session, _event: JsonObject, _sender?: object): number => 0,
  /** Milliseconds for which a connection stalls before a client event is handled; what comes behind it waits as well. */
  stallMs: (_session: Session): number => 0,
})
