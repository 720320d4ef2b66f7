import { registerDigest, requirements } from '#spec/register'
import type { RegisterView } from '#judge/register-view'

/** The requirement set as a certificate carries it: all rows, in words. */
export function registerText({ rows, digest, release }: RegisterView): string {
  return `${JSON.stringify({ release, digest, requirements: Object.fromEntries(rows) }, undefined, 2)}\n`
}

/** Whether the rows of this Greenroom are those that were frozen under the name of its release. */
export function isFrozen({ release }: RegisterView): boolean {
  const scored = [...requirements.values()].filter((row) => row.unscored !== true)
  return registerDigest(scored) === release.digest
}
