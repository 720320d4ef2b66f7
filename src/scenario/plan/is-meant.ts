import { partOf } from '#spec/part-of'
import type { Scenario } from '../author/scenario.ts'

/** Whether a name of `--only` means the scenario: its own id or part, or a requirement that it proves, or the part of one. */
export function isMeant({ id, proves }: Scenario, name: string): boolean {
  return [id, ...proves].some((one) => one === name || partOf(one) === name)
}
