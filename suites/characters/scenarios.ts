import type { Scenario } from '../../src/scenario/scenario.ts'
import { autoClose } from './auto-close.check.ts'
import { denied } from './denied.check.ts'
import { lateText, lateVideo } from './late.check.ts'
import { life } from './life.check.ts'
import { list } from './list.check.ts'
import { moderation } from './moderation.check.ts'
import { overrides } from './overrides.check.ts'
import { pages } from './pages.check.ts'
import { pipeline } from './pipeline.check.ts'
import { refused } from './refused.check.ts'
import { transport } from './rtc-b.check.ts'
import { otherWorkspace, sameWorkspace } from './scope.check.ts'
import { timers } from './timers.check.ts'
import { video } from './video.check.ts'

export const scenarios: readonly Scenario[] = [
  life,
  video,
  transport,
  otherWorkspace,
  sameWorkspace,
  overrides,
  pipeline,
  moderation,
  refused,
  list,
  autoClose,
  lateText,
  lateVideo,
  denied,
  pages,
  ...timers,
]
