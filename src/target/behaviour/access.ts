import type { Account, KeyState } from '../keys.ts'
import type { ErrorCode } from './codes.ts'

/** Section 5: who may call, and what an account must have to create. */
export const access = () => ({
  /** 5.1: `Authorization: Bearer <API_KEY>`. No header, another scheme or an empty key: the key is absent. */
  credential: (authorization: string | undefined): string | undefined => {
    const found = /^bearer +(\S.*)$/iu.exec((authorization ?? '').trim())
    return found?.[1]
  },
  /** Operations that ask for no key; 5.1 says "every endpoint". */
  open: [] as string[],
  missingKey: '10001' as ErrorCode,
  invalidKey: '10003' as ErrorCode,
  accountOf: (secret: string, accounts: Account[]): Account | undefined =>
    accounts.find((account) => account.secret === secret),
  /** 5.6: "an inactive workspace or insufficient balance is rejected with 10004 or 10005". */
  billing: (state: KeyState): ErrorCode | undefined => {
    if (state === 'billing_inactive') return '10004'
    return state === 'insufficient_balance' ? '10005' : undefined
  },
  /** 5.5: "A key lacking access to a model or API: 10009". */
  permission: (state: KeyState): ErrorCode | undefined => (state === 'access_denied' ? '10009' : undefined),
  /** 1.6: resources belong to the workspace that the key identifies. */
  sees: (account: Account, owner: Account): boolean => account.workspace === owner.workspace,
})
