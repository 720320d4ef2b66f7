import type { Rule } from '#judge/rule'
import { assets, avatars } from './assets/additions.rules.ts'
import { refusedAssets } from './assets/refused.rules.ts'
import { admissions } from './connection/admissions.rules.ts'
import { askedChoices } from './asked-choices.rules.ts'
import { choices } from './choices.rules.ts'
import { endedByErrors } from './events/ended.rules.ts'
import { errors } from './events/errors.rules.ts'
import { eventIds } from './events/event-ids.rules.ts'
import { frames } from './events/frames.rules.ts'
import { isolation } from './connection/isolation.rules.ts'
import { itemsAsked } from './items/asked.rules.ts'
import { itemsCreated } from './items/created.rules.ts'
import { itemsOrder } from './items/order.rules.ts'
import { openings } from './connection/openings.rules.ts'
import { outputItems } from './items/output.rules.ts'
import { keptImages } from './assets/images.rules.ts'
import { existing } from './assets/existing.rules.ts'
import { references } from './items/references.rules.ts'
import { registry } from './assets/registry.rules.ts'
import { render } from './responses/render.rules.ts'
import { requests } from './events/requests.rules.ts'
import { responseChoices } from './responses/choices.rules.ts'
import { responseLife } from './responses/life.rules.ts'
import { meetings } from './scheduling/meetings.rules.ts'
import { scheduling } from './scheduling/scheduling.rules.ts'
import { schedules } from './walk/model/scheduling.rules.ts'
import { scriptClasses } from './scripts/classes.rules.ts'
import { scripts } from './scripts/scripts.rules.ts'
import { sessionClosed } from './connection/session-closed.rules.ts'
import { updatesInVideo } from './updates/cancelled.rules.ts'
import { sessionFaults } from './updates/faults.rules.ts'
import { sessionRaces } from './updates/races.rules.ts'
import { sessionState } from './updates/state.rules.ts'
import { snapshots } from './snapshot/snapshot.rules.ts'
import { shapes } from './events/shapes.rules.ts'
import { speech } from './speech/speech.rules.ts'
import { staleErrors } from './events/stale-errors.rules.ts'
import { text } from './responses/text.rules.ts'
import { tools } from './tools/tools.rules.ts'
import { unanswered } from './events/unanswered.rules.ts'
import { updates } from './updates/updates.rules.ts'
import { validUpdates } from './updates/valid.rules.ts'

export const rules: readonly Rule[] = [
  frames,
  shapes,
  eventIds,
  errors,
  endedByErrors,
  staleErrors,
  unanswered,
  updates,
  updatesInVideo,
  sessionState,
  sessionRaces,
  sessionFaults,
  validUpdates,
  admissions,
  openings,
  sessionClosed,
  assets,
  refusedAssets,
  registry,
  existing,
  keptImages,
  avatars,
  itemsCreated,
  itemsAsked,
  itemsOrder,
  references,
  requests,
  responseLife,
  text,
  outputItems,
  tools,
  scripts,
  scriptClasses,
  snapshots,
  render,
  meetings,
  scheduling,
  schedules,
  speech,
  isolation,
  choices,
  askedChoices,
  responseChoices,
]
