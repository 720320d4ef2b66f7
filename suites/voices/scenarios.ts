import type { Scenario } from '#scenario/author/scenario'
import { languageCodes } from './languages.check.ts'
import { library, withoutFiles } from './library.check.ts'
import { libraryProperty } from './walk/library.property.ts'
import { honestSamples } from './samples.check.ts'

export const scenarios: readonly Scenario[] = [library, withoutFiles, languageCodes, honestSamples, libraryProperty]
