import type { Scenario } from '#scenario/author/scenario'
import { audioFiles, voices } from './audio.check.ts'
import { avatarSessions, missingKey } from './avatar-sessions.check.ts'
import { characters } from './characters.check.ts'
import { denied } from './denied.check.ts'
import { worldSessions } from './world.check.ts'

export const scenarios: readonly Scenario[] = [
  missingKey,
  avatarSessions,
  denied,
  characters,
  audioFiles,
  voices,
  worldSessions,
]
