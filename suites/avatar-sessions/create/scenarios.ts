import type { Scenario } from '#scenario/author/scenario'
import { createBasics } from './basics.check.ts'
import { createChoices } from './choices.check.ts'
import { createLeftovers } from './leftovers.check.ts'
import { createPipeline } from './pipeline.check.ts'
import { createRtcB } from './rtc-b.check.ts'
import { createText } from './text.check.ts'
import { createVideo } from './video.check.ts'

/** What a create may carry and must not carry. */
export const creates: readonly Scenario[] = [
  createBasics,
  createText,
  createVideo,
  createRtcB,
  createPipeline,
  createLeftovers,
  createChoices,
]
