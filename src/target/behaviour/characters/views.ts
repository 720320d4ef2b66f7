import type { Character } from '#target/characters/character'
import { type JsonObject, objectAt } from '#target/wire'
import { secondsStamp } from '../files.ts'

/** One field of a payload; `undefined` leaves it out. */
type CharacterField = (character: Character) => unknown
export type CharacterFields = Record<string, CharacterField>

const metadata = (): CharacterFields => ({
  character_id: ({ id }) => id,
  name: ({ name }) => name,
  created_at: ({ createdAt }) => secondsStamp(createdAt),
  updated_at: ({ updatedAt }) => secondsStamp(updatedAt),
})

/** 2.7: what is shown of a character. */
export const characterViews = () => ({
  timestamp: secondsStamp,
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
