import { around, drop, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const nameDefects = defectsOf('voices.name', {
  'counted-in-characters: A name may have 128 bytes.': set('voices.nameLength', (name) => Buffer.byteLength(name)),
  'counted-in-characters~three-bytes: A name may have 256 bytes.': around(
    'voices.nameLength',
    (nameLength) => (name) => Math.max(nameLength(name), Buffer.byteLength(name) - 128),
  ),
  'counted-in-characters~encoded: A name is counted as a URL would write it.': set(
    'voices.nameLength',
    (name) => encodeURIComponent(name).length,
  ),
  '128-characters-accepted: A name may have 127 characters.': set('limits.voiceNameCharacters', 127),
  '129-characters-rejected: A name may have any length.': drop('validations.clone', 'name-too-long'),
  '129-characters-rejected~one-more: A name may have 129 characters.': set('limits.voiceNameCharacters', 129),
  '129-characters-rejected~wide: Letters beyond ASCII do not count.': set(
    'voices.nameLength',
    (name) => name.replaceAll(/[^ -~]/gu, '').length,
  ),
})
