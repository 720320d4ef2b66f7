import type { KeyName } from '#spec/profile'
import { worldFaults, withFaults } from '#arbitraries/rest/faults'
import { rejection } from '#scenario/author/expectation'
import { step } from '#scenario/author/step'
import type { JsonObject } from '#trace/json'
import { sendCreate, type World } from '../send.ts'

const names = [
  'model-missing',
  'initial-prompt-missing',
  'initial-prompt-content-missing',
  'opening-frame-url-missing',
] as const

/** Sends a body that has to be refused; the session of the walk is the positive control. */
export type Refuse = (body: JsonObject, control: World) => Promise<void>

interface Ground {
  readonly key: KeyName
  readonly control: number
  /** Decides which mistakes are made. */
  readonly seed: number
}

/** A mistake in a body that is drawn; with two of them 30004 is right for either. */
export const refuseDrawn = step(
  names.flatMap((name) => [`world-sessions.create.${name}-rejected`, `world-sessions.code-30004.${name}`] as const),
  async (c, body: JsonObject, { key, control, seed }: Ground) => {
    const [one, other] = [names[seed % names.length], names[(seed >> 2) % names.length]]
    const picked = names.filter((name) => name === one || name === other)
    const { body: wrong, codes } = withFaults(
      body,
      worldFaults.filter(({ id }) => picked.some((name) => name === id)),
    )
    const rows = picked.map((name) => `world-sessions.create.${name}-rejected` as const)
    const coded = picked.map((name) => `world-sessions.code-30004.${name}` as const)
    await sendCreate(c, wrong, { key, expect: rejection({ rows, coded, codes, control }) })
  },
)
