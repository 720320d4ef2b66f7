import type { Scenario } from '#scenario/author/scenario'
import { admission } from './connection/admission.check.ts'
import { additions } from './assets/assets.check.ts'
import { assetIsolation } from './assets/isolation.check.ts'
import { connections } from './connection/connections.check.ts'
import { jointly } from './joint.check.ts'
import { isolation } from './connection/isolation.check.ts'
import { errors } from './events/errors.check.ts'
import { itemsBasic } from './items/basic.check.ts'
import { itemsMore } from './items/more.check.ts'
import { pending } from './scheduling/pending.check.ts'
import { pendingInVideo } from './scheduling/pending-video.check.ts'
import { responses } from './responses/responses.check.ts'
import { firstWords } from './responses/first.check.ts'
import { races } from './scheduling/races.check.ts'
import { scheduling } from './scheduling/scheduling.check.ts'
import { schedulingInVideo } from './scheduling/video.check.ts'
import { scriptsInVideo } from './scripts/video.check.ts'
import { sessionUpdate } from './updates/text.check.ts'
import { sessionUpdateInVideo } from './updates/video.check.ts'
import { snapshots } from './snapshot/snapshot.check.ts'
import { scriptedSpeech } from './speech/speech.check.ts'
import { speechInVideo } from './speech/video.check.ts'
import { toolCalls } from './tools/tools.check.ts'
import { walks } from './walk/walks.property.ts'

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
  races,
  schedulingInVideo,
  snapshots,
  scriptsInVideo,
  sessionUpdate,
  sessionUpdateInVideo,
  scriptedSpeech,
  speechInVideo,
  toolCalls,
  ...walks,
  ...jointly,
]
