import type { Rule } from '#judge/rule'
import { choices } from './choices.rules.ts'
import { places } from './model/places.rules.ts'
import { room } from './model/room.rules.ts'
import { otherKeys, pauses } from './pause.rules.ts'
import { rate } from './rate.rules.ts'

export const rules: readonly Rule[] = [rate, pauses, otherKeys, places, room, choices]
