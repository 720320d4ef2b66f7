import table from '../../suites/sentences.json' with { type: 'json' }
import type { SentenceRow } from './types/shapes.d.ts'

/** Every claim of the spec in its order, with the requirements that hold it and the choices that it leaves. */
export const sentences: readonly Readonly<SentenceRow>[] = table.sentences as readonly SentenceRow[]
