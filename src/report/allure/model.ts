/** A file for the folder that Allure reads. */
export interface AllureFile {
  readonly name: string
  readonly content: string
}

export type AllureStatus = 'passed' | 'failed' | 'broken' | 'skipped'

export interface AllureAttachment {
  readonly name: string
  /** Name of a file in the same folder; Allure takes only those with `-attachment` before the extension. */
  readonly source: string
  readonly type: string
}

export interface AllureStep {
  readonly name: string
  readonly status: AllureStatus
  readonly statusDetails: { readonly message?: string; readonly trace?: string }
  readonly stage: 'finished'
  readonly steps: readonly AllureStep[]
  readonly attachments: readonly AllureAttachment[]
  readonly parameters: readonly never[]
  /** Milliseconds since 1970. */
  readonly start?: number
  readonly stop?: number
}

/** One `*-result.json`, as allure-js-commons 3 writes them. */
export interface AllureResult extends AllureStep {
  readonly uuid: string
  readonly fullName: string
  readonly titlePath: readonly string[]
  readonly testCaseId: string
  readonly historyId: string
  readonly description: string
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly links: readonly never[]
}

/** What allure-vitest recorded of a scenario's test, before anything was judged. */
export interface Recorded {
  readonly uuid: string
  readonly name: string
  readonly status: string | undefined
}

type StepParts = Pick<AllureStep, 'name' | 'status'> & Partial<AllureStep>

export function step(parts: StepParts): AllureStep {
  return { statusDetails: {}, stage: 'finished', steps: [], attachments: [], parameters: [], ...parts }
}
