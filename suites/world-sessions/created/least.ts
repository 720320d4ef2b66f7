/** What was asked for, what is in force, and the most that is asked for by mistake: no number of section 8 bounds it. */
export interface Lifted {
  readonly asked: number
  readonly shown: number
  /** Below this a request is so small that a service may give its least instead. */
  readonly tiny: number
  /** What is in force elsewhere in this run and workspace. */
  readonly others: readonly number[]
}

/** Whether more than was asked for may be the least that there is: nobody in the workspace has less. */
export function mayBeLeast({ asked, shown, tiny, others }: Lifted): boolean {
  return asked < tiny && others.every((other) => other >= shown)
}
