import { readdirSync } from 'node:fs'
import type { Defect } from './deviation.ts'

/**
 * The files of the seeded mistakes, as paths in their folder without ending. A defect stands in the file whose path has
 * most of the first words of its id: `control-channel.item-create.…` in `control-channel/item/create`.
 */
export const defectFiles: readonly string[] = readdirSync(new URL('defects/', import.meta.url), { recursive: true })
  .map((file) => String(file).replaceAll('\\', '/'))
  .filter((file) => /(?<!\.d)\.[jt]s$/.test(file) && !file.startsWith('tools/'))
  .map((file) => file.replace(/\.[jt]s$/, ''))
  .toSorted()

const wordsOf = (text: string): string[] => text.split(/[-./]/)

/** The file in which the defects of a requirement stand; undefined where there is none yet. */
export function defectFileOf(requirement: string): string | undefined {
  const words = wordsOf(requirement)
  return defectFiles
    .filter((file) => wordsOf(file).every((word, place) => word === words[place]))
    .toSorted((one, other) => wordsOf(one).length - wordsOf(other).length)
    .at(-1)
}

/** The defects of one of these files: all that it exports. */
export async function defectsIn(file: string): Promise<Defect[]> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const exported: Readonly<Record<string, readonly Defect[]>> = await import(
    new URL(`defects/${file}.${ending}`, import.meta.url).href
  )
  return Object.values(exported).flat()
}

/** Every seeded mistake of the reference target. */
export const DEFECTS: readonly Defect[] = (await Promise.all(defectFiles.map(defectsIn))).flat()
