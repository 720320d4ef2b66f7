import { badFrames } from './bad-frames.ts'
import { cannedAnswers } from './canned.ts'
import { channelFloods } from './channel-floods.ts'
import { controlUrls } from './control-urls.ts'
import { endlessBodies } from './endless-bodies.ts'
import { fixedAnswers } from './fixed-answers.ts'
import { fixedCreates } from './fixed-creates.ts'
import type { HostileTarget } from './hostile-target.ts'
import { oddBodies } from './odd-bodies.ts'
import { oddHeaders } from './odd-headers.ts'
import { parrots } from './parrots.ts'
import { redirects } from './redirects.ts'
import { refusedChannels } from './refused-channels.ts'
import { transports } from './transports.ts'

/** Every hostile and fixed-answer server. None of them may pass a requirement, hang a run or break a report. */
export const hostileTargets: readonly HostileTarget[] = [
  ...fixedAnswers,
  ...fixedCreates,
  ...cannedAnswers,
  ...oddBodies,
  ...oddHeaders,
  ...endlessBodies,
  ...redirects,
  ...transports,
  ...controlUrls,
  ...refusedChannels,
  ...channelFloods,
  ...badFrames,
  ...parrots,
]
