import type { Scenario } from '../../src/scenario/scenario.ts'
import { admission } from './admission.check.ts'
import { additions } from './assets.check.ts'
import { assetIsolation } from './assets-isolation.check.ts'
import { connections } from './connections.check.ts'
import { isolation } from './connections-isolation.check.ts'
import { errors } from './errors.check.ts'
import { itemsBasic } from './items-basic.check.ts'
import { itemsMore } from './items-more.check.ts'
import { pending } from './pending.check.ts'
import { pendingInVideo } from './pending-video.check.ts'
import { responses } from './response.check.ts'
import { firstWords } from './response-first.check.ts'
import { scheduling } from './scheduling.check.ts'
import { schedulingInVideo } from './scheduling-video.check.ts'
import { scriptsInVideo } from './scripts-video.check.ts'
import { sessionUpdate } from './session-update.check.ts'
import { sessionUpdateInVideo } from './session-update-video.check.ts'
import { snapshots } from './snapshot.check.ts'
import { scriptedSpeech } from './speech.check.ts'
import { speechInVideo } from './speech-in-video.check.ts'
import { toolCalls } from './tools.check.ts'

export const scenarios: readonly Scenario[] = [
  firstWords,
  admission,
  additions,
  assetIsolation,
  connections,
  ...isolation,
  errors,
  itemsBasic,
  itemsMore,
  pending,
  pendingInVideo,
  responses,
  scheduling,
  schedulingInVideo,
  snapshots,
  scriptsInVideo,
  sessionUpdate,
  sessionUpdateInVideo,
  scriptedSpeech,
  speechInVideo,
  toolCalls,
]
