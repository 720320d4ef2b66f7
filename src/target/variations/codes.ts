import { set } from '#target/overrides/operators'
import type { Variation } from '../deviation.ts'

/** Refusals whose cause has two names, and faults that are found before others. */
export const codeVariations: readonly Variation[] = [
  {
    id: 'session-ids-read-first',
    section: '7',
    text: 'An id that is not of the form of this service is refused with 20004 before a session is looked for (no code is named for it).',
    override: set('access.unknown', (id) => (/^ses_[0-9a-f]{20}$/.test(id) ? '20005' : '20004')),
  },
  {
    id: 'models-by-grant',
    section: '5',
    text: 'A model that there is none of is one that the key was not granted: 10009.',
    override: set('validations.createSession.model-unsupported.code', '10009'),
  },
  {
    id: 'billing-inactive-without-balance',
    section: '5',
    text: 'A workspace whose billing is not active has no balance either: 10005 ("rejected with `10004` or `10005`").',
    warns: ['errors.code-10004.billing-inactive'],
    override: set('access.billing', (state) =>
      state === 'billing_inactive' || state === 'insufficient_balance' ? '10005' : undefined,
    ),
  },
]
