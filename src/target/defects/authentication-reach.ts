import type { Defect } from '../deviation.ts'
import { type DefectEntry, defectsOf } from './table.ts'

/** What a group of operations may forget of 5.1 and 5.5, each time in one operation only. */
function forgotten(group: string, operations: readonly string[]): Defect[] {
  const entries = operations.flatMap((operation, place): [string, DefectEntry][] => {
    const suffix = place === 0 ? '' : `~${operation.split('-')[0]}`
    return [
      [
        `header-required.${group}${suffix}`,
        [`\`${operation}\` asks for no key.`, ({ access }) => void access.open.push(operation)],
      ],
      [
        `missing-key.${group}${suffix}`,
        [
          `\`${operation}\` answers a missing key like a wrong one.`,
          ({ access }) => {
            const { missingKey } = access
            access.missingKey = (asked) => (asked === operation ? '10003' : missingKey(asked))
          },
        ],
      ],
      [
        `invalid-key.${group}${suffix}`,
        [`\`${operation}\` takes any key for a good one.`, ({ access }) => void access.trusting.push(operation)],
      ],
    ]
  })
  return defectsOf('authentication', Object.fromEntries(entries))
}

export const authenticationReachDefects = [
  ...forgotten('audio-files', ['upload-audio']),
  ...forgotten('voices', ['list-voices', 'get-voice', 'clone-voice']),
  ...forgotten('world-sessions', [
    'create-client-secret',
    'get-world-session',
    'create-world-session',
    'close-world-session',
  ]),
]
