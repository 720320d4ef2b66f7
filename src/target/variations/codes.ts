import { set, several } from '#target/overrides/operators'
import { variationsOf } from './table.ts'

/** Refusals whose cause has two names, and faults that are found before others. */
export const codeVariations = variationsOf({
  'session-ids-read-first §7: An id that is not of the form of this service is refused with 20004 before a session is looked for (no code is named for it).':
    set('access.unknown', (id) => (/^ses_[0-9a-f]{20}$/.test(id) ? '20005' : '20004')),
  'models-by-grant §5: A model that there is none of is one that the key was not granted: 10009.': several(
    set('validations.createSession.model-unsupported.code', '10009'),
    set('validations.start.session.model-unsupported.code', '10009'),
    set('world.validations.model-unsupported.code', '10009'),
  ),
  'billing-inactive-without-balance §5: A workspace whose billing is not active has no balance either: 10005 ("rejected with `10004` or `10005`").':
    {
      warns: ['errors.code-10004.billing-inactive'],
      override: set('access.billing', (state) =>
        state === 'billing_inactive' || state === 'insufficient_balance' ? '10005' : undefined,
      ),
    },
})
