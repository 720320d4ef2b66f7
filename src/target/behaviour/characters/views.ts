import type { Character } from '#target/characters/character'
import { type JsonObject, objectAt } from '#target/wire'

/** One field of a payload; `undefined` leaves it out. */
type CharacterField = (character: Character) => unknown
export type CharacterFields = Record<string, CharacterField>

/** "UTC, format `YYYY-MM-DDTHH:MM:SSZ`" (2.7). */
const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/u, 'Z')

const metadata = (): CharacterFields => ({
  character_id: ({ id }) => id,
  name: ({ name }) => name,
  created_at: ({ createdAt }) => timestamp(createdAt),
  updated_at: ({ updatedAt }) => timestamp(updatedAt),
})

/** 2.7: what is shown of a character. */
export const characterViews = () => ({
  timestamp,
  full: metadata(),
  /** "The saved configuration is returned beside the metadata." */
  configuration: ({ configuration }: Character): JsonObject => configuration,
  /** "List summary item". */
  summary: {
    ...metadata(),
    model: ({ configuration }) => configuration['model'],
    resolution: ({ configuration }) => objectAt(configuration, 'output')['resolution'],
  } as CharacterFields,
  /** 4.2: "`character_id` string, `status` string always `deleted`". */
  deletion: {
    character_id: ({ id }) => id,
    status: () => 'deleted',
  } as CharacterFields,
})
