import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

/**
 * What each scenario is known to find (`reports/finds.json`, made by `greenroom prove`): for each seeded mistake the
 * scenarios of the standard tier that show it, each alone and without what may be left out of it; with ` +` behind it
 * where only that does, as much of it as a run that is narrowed to the row of the mistake takes. In the first format a
 * scenario without a `+` shows it with what could not be left out then.
 */
export interface Finds {
  readonly format: 'greenroom.finds/1' | 'greenroom.finds/2'
  readonly mistakes: { readonly [mistake: string]: readonly string[] }
}

/** Its file, in the folder of the reports, where `greenroom prove` writes what is committed. */
export const findsFile = 'finds.json'

/** @throws the system's error without the file, which the package brings along */
export function readFinds(): Finds {
  return JSON.parse(readFileSync(join(packageRoot(), 'reports', findsFile), 'utf8')) as Finds
}
