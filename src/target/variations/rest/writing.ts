import { around, remembering, set, several } from '#target/overrides/operators'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** JSON in which whole numbers have a fraction or an exponent: `24.0` and `3.6e+3` are the integers 24 and 3600. */
function withOddNumbers(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return Math.abs(value) < 1000 ? `${value}.0` : value.toExponential()
  if (Array.isArray(value)) return `[${value.map((member) => withOddNumbers(member ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${withOddNumbers(member)}`).join(',')}}`
}

const withEscapedSlashes = (value: unknown): string => JSON.stringify(value).replaceAll('/', String.raw`\/`)

/** Codes that go without `Retry-After` (section 7). */
const WITHOUT = ['30006', '30008']

/** How long a close takes that waits for its cleanup, in milliseconds. */
const cleanupMs = 400

/** Answers of one operation take so many milliseconds. */
const holding = (name: string, ms: number) =>
  around('http.holdsMs', (holds) => (operation) => (operation === name ? ms : holds(operation)))

/** How answers are written, and when they come, where nothing is said of it. */
export const writingVariations = variationsOf({
  'numbers-with-exponents §Conventions: Whole numbers are written with a fraction or an exponent (`24.0`, `3.6e+3`), as JSON allows.':
    several(set('http.encode', withOddNumbers), set('channel.encode', withOddNumbers)),
  'slashes-escaped §Conventions: Slashes in texts are escaped, as JSON allows.': several(
    set('http.encode', withEscapedSlashes),
    set('channel.encode', withEscapedSlashes),
  ),
  'retry-after-everywhere §7: Every failure names a time to retry after, save those that go without one.': around(
    'http.retryAfter',
    (retryAfter) =>
      (code, ...rest) =>
        retryAfter(code, ...rest) ?? (WITHOUT.includes(code) ? undefined : '1'),
  ),
  'faults-told-otherwise §7: Every 37th request fails inside the service: 503, a code below zero, and null as data.':
    remembering(() => {
      const fails = everyNth(37, 0)
      return [
        set('http.internalStatus', 503),
        set('http.internal', () => ({ code: -1, message: 'try again', data: null })),
        around('http.failsInside', (before) => (operation) => (fails() ? 'before' : before(operation))),
      ]
    }),
  'answers-take-long §Conventions: Every answer takes a fifth of a second (no time is promised).': set(
    'http.answerMs',
    200,
  ),
  'closes-wait-for-cleanup §3.1: A close is answered when its cleanup is over, with `closed` (its payload is not shown).':
    several(
      set('lifecycle.cleanupMs', cleanupMs),
      set('views.closed.status', () => 'closed'),
      holding('close-avatar-session', cleanupMs + 60),
    ),
  'world-closes-wait-for-cleanup §3.2: A close of a world session is answered when its cleanup is over ("Returns `closed` instead if cleanup already finished").':
    several(
      set('world.life.cleanupMs', cleanupMs),
      set('world.views.closed.status', () => 'closed'),
      holding('close-world-session', cleanupMs + 60),
    ),
  'uploads-take-seconds §4.3: An upload takes almost two seconds (no time is promised).': holding('upload-audio', 1800),
})
