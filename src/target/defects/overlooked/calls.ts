import { defectsOf } from '../table.ts'

/** Calls that a limit forgets (section 8). */
export const overlookedCallDefects = defectsOf('limits', {
  'api-key-rate.counts-voices~uploads': [
    'Uploads do not count.',
    ({ rate }) => void (rate.counts = (operation) => operation !== 'upload-audio'),
  ],
  'api-key-rate.counts-creates~character-starts': [
    'Create Session from Character does not count.',
    ({ rate }) => void (rate.counts = (operation) => operation !== 'create-session-from-character'),
  ],
  'api-key-rate.counts-characters~writes': [
    'PUT and DELETE of characters do not count.',
    ({ rate }) => void (rate.counts = (operation) => !/^(replace|delete)-character$/u.test(operation)),
  ],
  'concurrency.refused-create-holds-nothing~unknown-character': [
    'A start that is refused with 20005 takes a slot for good.',
    ({ quota }) => void (quota.leaks = (code) => code === '20005'),
  ],
})
