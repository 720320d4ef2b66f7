/** The run sends no further requests but those of cleanup. Thrown before the request is sent or recorded. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/** The run was interrupted; nothing but cleanup is sent any more. */
export class RunAborted extends Error {
  override readonly name = 'RunAborted'

  constructor() {
    super('The run was interrupted')
  }
}

/** A value that the user gave cannot be used. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

/** The base address may not be used: keys would travel unprotected, or it is no address. */
export class UnsafeTarget extends Error {
  override readonly name = 'UnsafeTarget'
}
