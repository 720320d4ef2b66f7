import type { Rule } from '#judge/rule'
import { choices } from './choices.rules.ts'
import { cloned } from './clone.rules.ts'
import { got } from './get.rules.ts'
import { drawnClones } from './model/drawn.rules.ts'
import { leftovers } from './leftovers.rules.ts'
import { listed } from './list.rules.ts'

export const rules: readonly Rule[] = [cloned, got, listed, leftovers, drawnClones, choices]
