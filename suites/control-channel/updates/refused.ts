import { type Asked, type Avatars, explains, outcomes, type State } from '../model/state.ts'
import type { Step } from '../model/timeline.ts'

/** Whether what was shown follows from a refused update that was applied after all, whole or in part. */
export function explainedByRefused({ refused, before, update, shown }: Step, avatars: Avatars): boolean {
  return refused.some(({ asked }) =>
    parts(asked).some((part) => led(before, [part, update.asked], avatars).some((state) => explains(state, shown))),
  )
}

/** Whether one of the refused updates would show, had any part of it been applied. */
export function visibleIfApplied({ refused, before, update, shown }: Step, avatars: Avatars): boolean {
  return refused.some(({ asked }) =>
    parts(asked).some((part) => led(before, [part, update.asked], avatars).some((state) => !explains(state, shown))),
  )
}

function led(from: readonly State[], asked: readonly Asked[], avatars: Avatars): readonly State[] {
  return asked.reduce((states, one) => states.flatMap((state) => outcomes(state, one, avatars)), from)
}

const nothing: Asked = { mode: undefined, avatar: undefined, image: undefined }

/** The update with some of its fields. */
function parts(asked: Asked): readonly Asked[] {
  const given = (['mode', 'avatar', 'image'] as const).filter((field) => asked[field] !== undefined)
  return given.reduce<Asked[]>(
    (found, field) => [...found, ...[nothing, ...found].map((part) => ({ ...part, [field]: asked[field] }))],
    [],
  )
}
