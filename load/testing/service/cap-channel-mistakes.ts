import type { Mistake } from './mistake.ts'

/** Mistakes with the places of sessions whose control channel was used. */
export const capChannelMistakes = {
  'place-kept-when-connected': {
    text: 'A session that is closed while somebody is connected keeps its place.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = ({ closedAt, used }) => closedAt === undefined || used.connectedAtClose),
  },
  'place-kept-after-hang-up': {
    text: 'A session whose connection was hung up keeps its place.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = ({ closedAt, used }) => closedAt === undefined || used.hungUp > 0),
  },
  'place-kept-after-refused-upgrade': {
    text: 'A session for which an upgrade was refused keeps its place.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = ({ closedAt, used }) => closedAt === undefined || used.refused > 0),
  },
  'place-kept-after-interruption': {
    text: 'A session in which one response interrupted another keeps its place.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = ({ closedAt, used }) => closedAt === undefined || used.responses > 1),
  },
} as const satisfies { readonly [name: string]: Mistake }
