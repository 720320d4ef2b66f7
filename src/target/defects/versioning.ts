import { defectsOf } from './table.ts'

export const versioningDefects = defectsOf('versioning', {
  'rest-paths.under-v1': [
    'Voices are listed under the path of another version only.',
    ({ http }) => void (http.served = (operation) => operation !== 'list-voices'),
  ],
  'rest-paths.under-v1~upload': [
    'Audio is uploaded to the path of another version only.',
    ({ http }) => void (http.served = (operation) => operation !== 'upload-audio'),
  ],
})
