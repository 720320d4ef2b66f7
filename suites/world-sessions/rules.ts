import type { Rule } from '#judge/rule'
import { choices } from './choices.rules.ts'
import { descriptors } from './created/descriptors.rules.ts'
import { echo } from './created/echo.rules.ts'
import { generation } from './life/generation.rules.ts'
import { getSession } from './life/get.rules.ts'
import { idempotency } from './idempotency/idempotency.rules.ts'
import { conflicts } from './idempotency/conflicts.rules.ts'
import { lifetime } from './life/lifetime.rules.ts'
import { references } from './created/references.rules.ts'
import { secrets } from './created/secrets.rules.ts'
import { ownMetadata } from './created/own-metadata.rules.ts'
import { shapes } from './created/shape.rules.ts'
import { lifecycle } from './life/status.rules.ts'
import { worldWalks } from './model/walk.rules.ts'
import { otherWorkspaces } from './life/other-workspaces.rules.ts'
import { refusedCloses } from './life/refused-closes.rules.ts'
import { untouched } from './life/untouched.rules.ts'
import { notAhead } from './created/not-ahead.rules.ts'

export const rules: readonly Rule[] = [
  shapes,
  echo,
  references,
  ownMetadata,
  getSession,
  descriptors,
  secrets,
  lifecycle,
  generation,
  idempotency,
  conflicts,
  lifetime,
  otherWorkspaces,
  untouched,
  refusedCloses,
  worldWalks,
  choices,
  notAhead,
]
