import type { IncomingHttpHeaders } from 'node:http'
import type { Account, KeyState } from '#target/keys'
import type { Session } from '#target/sessions/session'
import type { ErrorCode } from '../codes.ts'

/** Section 5: who may call, and what an account must have to create. */
export const access = () => ({
  /** 5.1: `Authorization: Bearer <API_KEY>`. No header, another scheme or an empty key: the key is absent. */
  credential: (authorization: string | undefined, _headers: IncomingHttpHeaders): string | undefined => {
    const found = /^bearer +(\S.*)$/iu.exec((authorization ?? '').trim())
    return found?.[1]
  },
  /** Operations that ask for no key; 5.1 says "every endpoint". */
  open: [] as string[],
  /** Turns a good key away from an operation. */
  turnsAway: (_operation: string): ErrorCode | undefined => undefined,
  /** Operations that take any key for a good one. */
  trusting: [] as string[],
  /** Whether an operation is carried out before its key is looked at. */
  actsFirst: (_operation: string, _credential: string | undefined): boolean => false,
  /** Whether what the path names and the body holds is looked at before the key: of two faults either may be told. */
  looksFirst: false,
  missingKey: (_operation: string): ErrorCode => '10001',
  invalidKey: (_operation: string, _credential: string): ErrorCode => '10003',
  accountOf: (
    secret: string,
    accounts: Account[],
    _sessions: Iterable<Session>,
    _operation: string,
  ): Account | undefined => accounts.find((account) => account.secret === secret),
  /** 5.6: "an inactive workspace or insufficient balance is rejected with 10004 or 10005". */
  billing: (state: KeyState): ErrorCode | undefined => {
    if (state === 'billing_inactive') return '10004'
    return state === 'insufficient_balance' ? '10005' : undefined
  },
  /** 5.5: "A key lacking access to a model or API: 10009". */
  permission: (state: KeyState): ErrorCode | undefined => (state === 'access_denied' ? '10009' : undefined),
  /** Operations besides the creates of sessions that ask for billing and balance; the spec names none. */
  gated: ['upload-audio', 'clone-voice'] as string[],
  /** The same of access. */
  granted: ['clone-voice'] as string[],
  /** 1.6: resources belong to the workspace that the key identifies. */
  sees: (account: Account, owner: Account, _operation: string): boolean => account.workspace === owner.workspace,
  /** Under which name a thing with this id is kept for a workspace: whether others may have one of the same id is not said. */
  kept: (_account: Account, id: string): string => id,
  /** Whether an operation finds a session that its key may see. */
  seesSession: (_session: Session, _operation: string): boolean => true,
  /** The code for a session that there is none of, by the id that was asked for. */
  unknown: (_id: string): ErrorCode => '20005',
  /** Whether Get and Close take an unknown id for good. */
  getsUnknown: false,
  closesUnknown: false,
  /** Whether Get of a session of one kind finds those of the other kind, too. */
  getsOtherKind: (_operation: string): boolean => false,
  /** The code for a session that the key may not see. */
  unseen: (_operation: string): ErrorCode => '20005',
  /** A session that may not be seen is nevertheless closed. */
  closesUnseen: false,
})
