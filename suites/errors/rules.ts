import type { Rule } from '#judge/rule'
import { capacity } from './capacity.rules.ts'
import { channelFailures } from './channel.rules.ts'
import { choices } from './choices.rules.ts'
import { envelope } from './envelope.rules.ts'
import { foreign } from './foreign.rules.ts'
import { leftOpen } from './left-open.rules.ts'
import { madeNothing } from './made-nothing.rules.ts'
import { naming, namingOfEvents, results } from './naming.rules.ts'
import { retries } from './retry.rules.ts'
import { scarcity } from './scarcity.rules.ts'

export const rules: readonly Rule[] = [
  envelope,
  naming,
  namingOfEvents,
  results,
  scarcity,
  capacity,
  leftOpen,
  madeNothing,
  foreign,
  retries,
  channelFailures,
  choices,
]
