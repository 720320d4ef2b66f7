import { characterList } from './characters/list.ts'
import { characterRecords } from './characters/records.ts'
import { characterSessions } from './characters/sessions.ts'
import { characterViews } from './characters/views.ts'

/** 3.6 and 4.2: characters, and 4.1: sessions from them. */
export const characters = () => ({
  ...characterRecords(),
  views: characterViews(),
  list: characterList(),
  sessions: characterSessions(),
})
