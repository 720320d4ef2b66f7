import type { Entry } from '#trace/entry'
import type { JsonObject } from '#trace/json'
import { mapAnswers, mapEnvelopes, withObjects } from './content.ts'
import type { LegalChange } from './legal-change.ts'

const stamped = ['created_at', 'updated_at', 'expires_at'] as const

/** Each time of an object, changed. */
function withTimes(object: JsonObject, change: (time: string) => string): JsonObject {
  const found = stamped.flatMap((name) => {
    const time = object[name]
    return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? [[name, change(time)] as const] : []
  })
  return found.length === 0 ? object : { ...object, ...Object.fromEntries(found) }
}

/** 2.7 fixes how times of characters are written. */
const isOfCharacters = (operation: string | null): boolean =>
  operation?.includes('character') === true && operation !== 'create-session-from-character'

function written(form: (time: Date, text: string) => string): LegalChange['apply'] {
  return (entries, chance) =>
    mapEnvelopes(entries, (envelope, { operation }) =>
      isOfCharacters(operation)
        ? envelope
        : withObjects(envelope, (object) =>
            withTimes(object, (time) => (chance.here() ? form(new Date(time), time) : time)),
          ),
    )
}

/** The service's clock goes wrong by so much. */
function shifted(by_ms: number, withDate: boolean): LegalChange['apply'] {
  const move = (time: string): string => {
    const moved = new Date(Date.parse(time) + by_ms).toISOString()
    return time.includes('.') ? moved : moved.replace(/\.\d+/, '')
  }
  return (entries: readonly Entry[]) =>
    mapAnswers(entries, ({ response, envelope }) => {
      const { date } = response.headers
      const headers =
        date === undefined || !withDate
          ? response.headers
          : { ...response.headers, date: new Date(Date.parse(date) + by_ms).toUTCString() }
      return { ...response, headers, body: withObjects(envelope, (object) => withTimes(object, move)) }
    })
}

const inZone = (time: Date): string => new Date(time.getTime() + 7_200_000).toISOString().replace('Z', '+02:00')
const why = 'How timestamps are written is said for characters only.'

/** Times that are written or measured otherwise. */
export const times: readonly LegalChange[] = [
  {
    id: 'times-without-fractions',
    section: '2',
    why,
    apply: written((time) => time.toISOString().replace(/\.\d+/, '')),
  },
  {
    id: 'times-with-fractions',
    section: '2',
    why,
    apply: written((time) => time.toISOString().replace(/\.(\d+)Z/, '.$1000Z')),
  },
  {
    id: 'times-with-nanoseconds',
    section: '2',
    why,
    apply: written((time) => time.toISOString().replace(/\.(\d+)Z/, '.$1000000+00:00')),
  },
  { id: 'times-of-a-zone', section: '2', why, apply: written(inZone) },
  ...[-240_000, -4_000, 4_000, 240_000].flatMap((by_ms): readonly LegalChange[] => [
    {
      id: `clock-off-by-${by_ms / 1_000}s`,
      section: '2',
      why: 'Nobody promises that the clock of the service is that of the client.',
      apply: shifted(by_ms, true),
    },
    {
      id: `clock-off-behind-an-edge-by-${by_ms / 1_000}s`,
      section: '2',
      why: "`Date` may be of an edge, whose clock is another machine's.",
      apply: shifted(by_ms, false),
    },
  ]),
]
