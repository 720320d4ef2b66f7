import type { Scenario } from '../../src/scenario/scenario.ts'
import { createBasics } from './create-basics.check.ts'
import { createChoices } from './create-choices.check.ts'
import { createLeftovers } from './create-leftovers.check.ts'
import { createPipeline } from './create-pipeline.check.ts'
import { createRtcB } from './create-rtc-b.check.ts'
import { createText } from './create-text.check.ts'
import { createVideo } from './create-video.check.ts'

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
