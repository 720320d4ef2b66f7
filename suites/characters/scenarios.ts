import type { Scenario } from '#scenario/author/scenario'
import { autoClose } from './session/auto-close.check.ts'
import { denied } from './life/denied.check.ts'
import { lateText, lateVideo } from './session/late.check.ts'
import { life } from './life/life.check.ts'
import { list } from './list/list.check.ts'
import { lives } from './walk/lives.property.ts'
import { moderation } from './save/moderation.check.ts'
import { overrides } from './session/overrides.check.ts'
import { pages } from './list/pages.check.ts'
import { pipeline } from './session/pipeline.check.ts'
import { refused } from './save/refused.check.ts'
import { transport } from './session/rtc-b.check.ts'
import { otherWorkspace, sameWorkspace } from './life/scope.check.ts'
import { timers } from './session/timers.check.ts'
import { video } from './session/video.check.ts'

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
  ...lives,
]
