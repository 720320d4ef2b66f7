import { set } from '#target/overrides/operators'
import { defectsOf } from './tools/table.ts'

export const restPathsDefects = defectsOf('versioning.rest-paths', {
  'under-v1: Voices are listed under the path of another version only.': set(
    'http.served',
    (operation) => operation !== 'list-voices',
  ),
  'under-v1~upload: Audio is uploaded to the path of another version only.': set(
    'http.served',
    (operation) => operation !== 'upload-audio',
  ),
  'under-v1~characters: Characters are listed under the path of another version only.': set(
    'http.served',
    (operation) => operation !== 'list-characters',
  ),
  'under-v1~sessions: Sessions are listed under the path of another version only.': set(
    'http.served',
    (operation) => operation !== 'list-avatar-sessions',
  ),
})
