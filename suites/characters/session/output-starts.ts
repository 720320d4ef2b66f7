import { smallOutput } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { acceptance, unlessUnsupported } from '#scenario/author/expectation'
import { step } from '#scenario/author/step'
import { accepted } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { beginAndClose } from '../acts.ts'
import { beginTwice } from './start-twice.ts'

/** A transport, where there are two. */
export function over(c: Context, name: 'rtc_a' | 'rtc_b'): JsonObject {
  return c.offers('rtc_b') ? { delivery: { media: { transport: name } } } : {}
}

/** Aspect ratios are "for example" (4.1): what a model lacks leaves nothing to see of how it is merged. */
export const shownByRatio = [
  'characters.session.aspect-ratio-overridden',
  'characters.session.resolution-kept',
] as const
export const shownByResolution = [
  'characters.session.resolution-overridden',
  'characters.session.aspect-ratio-kept',
] as const

interface Part {
  readonly character_id: string
  readonly part: JsonObject
  /** The output that is saved. */
  readonly saved: JsonObject
}

/** What may be refused because the model lacks it is no fault; what the model takes in a whole output is one in a part. */
export const beginWith = step(
  [...shownByRatio, ...shownByResolution],
  async (c, { character_id, part, saved }: Part) => {
    const [exchange, whole] = [c.exchange(), c.exchange()]
    if (await beginAndClose(c, { character_id, output: part }, { exchange })) return
    const rows = part['aspect_ratio'] === undefined ? shownByResolution : shownByRatio
    c.expect(acceptance(rows, { onlyIf: [accepted(whole)] }), exchange)
    await beginAndClose(c, { character_id, output: { ...saved, ...part } }, { exchange: whole })
  },
)

/** Each field another one than in the smallest output. */
export const largeOutput = { aspect_ratio: '16:9', resolution: '720p' } as const

export const bothOver = 'characters.session.output-both-overridden'

/**
 * A whole output, which the model may not have, and a transport; where it is refused, the transport with another output.
 *
 * @returns whether the model has the output
 */
export const beginWithBoth = step([bothOver], async (c, character_id: string): Promise<boolean> => {
  const start = (output: JsonObject) => ({
    character_id,
    idempotency_key: c.id('start'),
    output,
    ...over(c, 'rtc_a'),
  })
  const exchange = c.exchange()
  if (await beginTwice(c, start(largeOutput), exchange)) return true
  c.expect(acceptance(bothOver, { onlyIf: [unlessUnsupported(exchange)] }), exchange)
  await beginTwice(c, start(smallOutput(c.profile)))
  return false
})
