import type { Mistake } from './mistake.ts'
import type { ChannelUse } from './rules.ts'

/** Sessions whose control channel was used in such a way keep their places when they are closed. */
const keptWhere = (isSuch: (used: ChannelUse) => boolean): Pick<Mistake, 'laws' | 'seed'> => ({
  laws: ['place-not-freed'],
  seed: (rules) => void (rules.holds = ({ closedAt, used }) => closedAt === undefined || isSuch(used)),
})

/** Mistakes with the places of sessions whose control channel was used. */
export const capChannelMistakes = {
  'place-kept-when-connected': {
    text: 'A session that is closed while somebody is connected keeps its place.',
    ...keptWhere(({ connectedAtClose }) => connectedAtClose),
  },
  'place-kept-after-hang-up': {
    text: 'A session whose connection was hung up keeps its place.',
    ...keptWhere(({ hungUp }) => hungUp > 0),
  },
  'place-kept-after-refused-upgrade': {
    text: 'A session for which an upgrade was refused keeps its place.',
    ...keptWhere(({ refused }) => refused > 0),
  },
  'place-kept-after-interruption': {
    text: 'A session in which one response interrupted another keeps its place.',
    ...keptWhere(({ responses }) => responses > 1),
  },
  'place-given-away-at-hang-up': {
    text: 'A session whose connection was hung up takes no place any more, though nobody has closed it.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: (rules) =>
      void (rules.holds = ({ closedAt, used }) => closedAt === undefined && (used.connected > 0 || used.hungUp === 0)),
  },
  'place-kept-after-auto-close': {
    text: 'A session that was closed because nobody had connected keeps its place.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = ({ closedAt, endedItself }) => closedAt === undefined || endedItself),
  },
} as const satisfies { readonly [name: string]: Mistake }
