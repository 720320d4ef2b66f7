import type { AnyContext, Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { RequirementId } from '#spec/register'
import { expand, type Subjects, type Known, type RowIn } from '#spec/rows'
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

/** What has rows: a step, or what is asked of every event of a kind. */
type Claimant<R extends Row> = readonly R[] | { readonly rows: readonly R[] }

interface Claiming<R extends Row> {
  readonly rows: readonly R[]
  step<Given extends readonly unknown[], Result>(
    run: (talk: Talk<R>, ...given: Given) => Promise<Result>,
  ): Step<R, Given, Result>
  sceneStep<Given extends readonly unknown[], Result>(
    run: (scene: Scene<R>, ...given: Given) => Promise<Result>,
  ): SceneStep<R, Given, Result>
}

/** Declares the rows that a step claims: its own by subject, and those of further steps in it. */
export function claiming<const F extends Subjects, const R extends Row = never>(
  subjects: F & Known<F, Row>,
  ...others: readonly Claimant<R>[]
): Claiming<Extract<RowIn<F>, Row> | R> {
  const inOthers = others.flatMap((one) => ('rows' in one ? one.rows : one))
  const own = [...(expand(subjects) as readonly Extract<RowIn<F>, Row>[]), ...inOthers]
  return {
    rows: own,
    step: (run) => Object.assign(run.bind(undefined), { rows: own }),
    sceneStep: (run) => Object.assign(run.bind(undefined), { rows: own }),
  }
}

/** A scenario of this part as it is written: what it proves follows from its steps. */
interface Plan<R extends Row> extends Omit<Scenario, 'proves' | 'claims' | 'drive'> {
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
  const claimed = new Set<Row>([...claims, ...steps.flatMap(({ rows }) => rows)])
  const own = [...claimed.union(new Set(observes))].map(fullId)
  const proves = [...own, ...observes_elsewhere]
  return {
    ...rest,
    proves,
    claims: [...claimed].map(fullId),
    drive: (context) => drive(new Scene<R>(context), context),
  }
}

/** A scenario that needs one session, whatever was said in it before: others of its kind may have the same. */
export interface OfOneSession extends Scenario {
  readonly speak: (context: AnyContext, session: OpenSession) => Promise<void>
}

interface OneSession<R extends Row> extends Omit<Plan<R>, 'drive'> {
  readonly make: (context: Context) => Promise<OpenSession>
  /** All that it does in its session. */
  readonly speak: (scene: Scene<R>, session: OpenSession) => Promise<void>
}

export function ofOneSession<const R extends Row>({ make, speak, ...plan }: OneSession<R>): OfOneSession {
  return {
    ...channelScenario<R>({ ...plan, drive: async (scene, context) => speak(scene, await make(context)) }),
    speak: async (context, session) => {
      const scene = new Scene<R>(context)
      await speak(scene, session)
      await scene.close()
    },
  }
}
