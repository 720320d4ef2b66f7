import type { Override } from '#target/behaviour/behaviour'
import { set } from '#target/overrides/operators'
import { defectsOf } from './tools/table.ts'

/** Its path is that of another version. */
const unserved = (operation: string): Override => set('http.served', (asked) => asked !== operation)

export const restPathsDefects = defectsOf('versioning.rest-paths', {
  'under-v1: Voices are listed under the path of another version only.': unserved('list-voices'),
  'under-v1~upload: Audio is uploaded to the path of another version only.': unserved('upload-audio'),
  'under-v1~characters: Characters are listed under the path of another version only.': unserved('list-characters'),
  'under-v1~sessions: Sessions are listed under the path of another version only.': unserved('list-avatar-sessions'),
})
