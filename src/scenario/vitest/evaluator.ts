/**
 * Says what a scenario that has ended broke, one sentence each, from the trace so far. For reports that show scenarios as
 * tests; the exit code of a run never depends on it.
 */
export type Evaluate = (scenario: string, trace: string) => readonly string[]

/** The environment variable with the URL of a module that exports `evaluate`. */
export const evaluatorVariable = 'GREENROOM_EVALUATOR'

/** The evaluator that the environment selects; without one nothing is ever broken. */
export async function loadEvaluator(environment: { readonly [name: string]: string | undefined }): Promise<Evaluate> {
  const module = environment[evaluatorVariable]
  if (module === undefined || module === '') return () => []
  const { evaluate } = (await import(module)) as { readonly evaluate: Evaluate }
  return evaluate
}
