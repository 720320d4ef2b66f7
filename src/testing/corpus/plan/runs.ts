import type { Choices } from '../../full-server/choices.ts'
import type { MinimalServerOptions } from '../../minimal-server/options.ts'

/** One of the independent servers, and which of its switches are turned. */
export type Setting =
  | { readonly server: 'full server'; readonly switches: Partial<Choices> }
  | { readonly server: 'minimal server'; readonly switches: MinimalServerOptions }

/** Runs against the independent servers, and what is turned at them. */
export const runs = {
  full: { server: 'full server', switches: {} },
  contrary: { server: 'full server', switches: { contrary: true } },
  'full-one-place': { server: 'full server', switches: { cap: 1, namesCauses: 'always' } },
  'full-nameless': {
    server: 'full server',
    switches: { namesCauses: 'never', automaticWorlds: false, longestPage: 5 },
  },
  minimal: { server: 'minimal server', switches: {} },
  'minimal-one-place': { server: 'minimal server', switches: { concurrent_sessions: 1, word_ms: 4 } },
} as const satisfies { readonly [name: string]: Setting }

export type RunName = keyof typeof runs
