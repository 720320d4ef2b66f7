import type { Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { RequirementId } from '#spec/register'
import { fullId, type Row } from './rows.ts'
import { Scene } from './scene.ts'
import type { Talk } from './talk.ts'

/** Part of a scenario on one control connection. It can claim the rows that it declares, and no others. */
export interface Step<R extends Row, Given extends readonly unknown[], Result> {
  (talk: Talk<R>, ...given: Given): Promise<Result>
  readonly rows: readonly R[]
}

/** Part of a scenario that opens connections itself. */
export interface SceneStep<R extends Row, Given extends readonly unknown[], Result> {
  (scene: Scene<R>, ...given: Given): Promise<Result>
  readonly rows: readonly R[]
}

export function step<const R extends Row, Given extends readonly unknown[], Result>(
  rows: readonly R[],
  run: (talk: Talk<R>, ...given: Given) => Promise<Result>,
): Step<R, Given, Result> {
  return Object.assign((talk: Talk<R>, ...given: Given) => run(talk, ...given), { rows })
}

export function sceneStep<const R extends Row, Given extends readonly unknown[], Result>(
  rows: readonly R[],
  run: (scene: Scene<R>, ...given: Given) => Promise<Result>,
): SceneStep<R, Given, Result> {
  return Object.assign((scene: Scene<R>, ...given: Given) => run(scene, ...given), { rows })
}

/** A scenario of this part as it is written: what it proves follows from its steps. */
interface Plan<R extends Row> extends Omit<Scenario, 'proves' | 'drive'> {
  /** Steps of which it consists; it can claim what these claim. */
  readonly steps: readonly { readonly rows: readonly R[] }[]
  /** What it claims itself. */
  readonly claims?: readonly R[]
  /** What rules observe in it. */
  readonly observes: readonly Row[]
  /** The same of other parts. */
  readonly observes_elsewhere?: readonly RequirementId[]
  readonly drive: (scene: Scene<R>, context: Context) => Promise<void>
}

export function channelScenario<const R extends Row>(plan: Plan<R>): Scenario {
  const { steps, claims = [], observes, observes_elsewhere = [], drive, ...rest } = plan
  const own = new Set<Row>([...claims, ...steps.flatMap(({ rows }) => rows), ...observes])
  const proves = [...[...own].map(fullId), ...observes_elsewhere]
  return { ...rest, proves, drive: (context) => drive(new Scene<R>(context), context) }
}
