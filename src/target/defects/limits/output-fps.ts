import { omit } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const outputFpsDefects = defectsOf('limits.output-fps', {
  'default-24: The frame rate is 25.': set('limits.fps', 25),
  'effective-value-returned: The frame rate is not returned.': onCreated(omit('output.fps')),
})
