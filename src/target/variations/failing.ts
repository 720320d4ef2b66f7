import { around, remembering } from '#target/overrides/operators'
import type { Override } from '../behaviour/behaviour.ts'
import { validation } from '../behaviour/validations/input-validation.ts'
import type { ResponseKind } from '../responses/run.ts'
import { everyNth, everyNthOf } from './every-nth.ts'
import { variationsOf } from './table.ts'

/** Long enough that what is tried again at once fails again. */
const awayMs = 1_000

/** Every so many requests for these operations fail with an envelope and a code of the service itself. */
export function atTimes(when: 'before' | 'after', times: number, operations: RegExp): Override {
  return around('http.failsInside', (before) => {
    const fails = everyNth(times, 0)
    return (operation) => (operations.test(operation) && fails() ? when : before(operation))
  })
}

/** Every so many responses of these kinds end with this status. */
function endsAs(status: string, times: number, kinds: readonly ResponseKind[], details: string): Override {
  return remembering(() => {
    const chosen = everyNth(times, 0)
    const marked = new WeakSet<object>()
    return [
      around('responses.finishedStatus', (finishedStatus) => (run) => {
        if (!kinds.includes(run.plan.kind) || finishedStatus(run) !== 'completed' || !chosen())
          return finishedStatus(run)
        marked.add(run)
        return status
      }),
      around(
        'responses.finishedDetails',
        (finishedDetails) => (run) => (marked.has(run) ? { type: status, reason: details } : finishedDetails(run)),
      ),
    ]
  })
}

/** Every so many client events of these types a step of the server fails over them. */
function failsOver(
  times: number,
  tables: readonly ('sessionUpdate' | 'responseCreate' | 'avatarAddition' | 'itemDelete')[],
): Override {
  return ({ validations }) => {
    for (const table of tables) {
      const chosen = everyNth(times, 0)
      const fails = validation('6.2', 'event', () => {
        if (chosen()) throw new Error('a step of the server failed')
        return false
      })
      Object.assign(validations[table], { 'server-failed': fails })
    }
  }
}

/** No service is without faults, and no sentence says that what failed once will fail again. */
export const failingVariations = variationsOf({
  'reads-fail-at-times §7: Every 19th Get or List fails with a 5xx ("on 429, 5xx or timeout, retry").': atTimes(
    'before',
    19,
    /^(?:get|list)-/u,
  ),
  'closes-fail-at-times §7: Every 9th close fails with a 5xx, and changes nothing.': atTimes('before', 9, /^close-/u),
  'closes-fail-when-done-at-times §7: Every 9th close ends its session and fails with a 5xx after that.': atTimes(
    'after',
    9,
    /^close-/u,
  ),
  'saves-fail-at-times §7: Every 19th save or delete of a character fails with a 5xx, and changes nothing.': atTimes(
    'before',
    19,
    /^(?:create|replace|delete)-character$/u,
  ),
  'saves-fail-when-done-at-times §7: Every 19th save or delete of a character fails with a 5xx when it is done.':
    atTimes('after', 19, /^(?:create|replace|delete)-character$/u),
  'starts-fail-at-times §7: Every 7th start from a character fails with a 5xx and leaves nothing behind.': atTimes(
    'before',
    7,
    /^create-session-from-character$/u,
  ),
  'uploads-fail-at-times §7: Every 7th upload or clone fails with a 5xx, and makes nothing.': atTimes(
    'before',
    7,
    /^(?:upload-audio|clone-voice)$/u,
  ),
  'secrets-fail-at-times §7: Every 5th request for fresh secrets fails with a 5xx.': atTimes(
    'before',
    5,
    /^create-client-secret$/u,
  ),
  'clones-fail-at-times §7: Every 4th clone fails at its provider (30007 says that the call failed, and not why).':
    around('voices.fails', (fails) => {
      const chosen = everyNth(4, 0)
      return (name) => fails(name) || chosen()
    }),
  'clones-fail-for-a-second §7: At the first clone and every 4th after it the provider is away for a second (30007 says that the call failed, and not why).':
    around('voices.fails', (fails) => {
      const chosen = everyNth(4)
      let until = 0
      return (name) => {
        if (Date.now() >= until && chosen()) until = Date.now() + awayMs
        return fails(name) || Date.now() < until
      }
    }),
  'creates-made-failed-at-times §4.1: Every 12th session is created as `failed` ("in a state such as `active`").': ({
    lifecycle,
  }) => {
    const fails = everyNth(12, 0)
    Object.defineProperty(lifecycle, 'initial', { get: () => (fails() ? 'failed' : 'active') })
  },
  'updates-fail-at-times §3.5: Every 9th update ends failed ("`status` in `completed`, `cancelled`, `failed`").': {
    warns: ['control-channel.session-update.undisturbed-completes'],
    override: around('update.outcome', (outcome) => {
      const fails = everyNth(9, 0)
      return (resolution) => (fails() ? { status: 'failed', reason: 'renderer_busy' } : outcome(resolution))
    }),
  },
  'updates-meet-errors-at-times §6.2: Every 23rd update fails over a step of the server ("a client or server processing step fails").':
    failsOver(23, ['sessionUpdate']),
  'responses-meet-errors-at-times §6.2: Every 31st request for a response fails over a step of the server ("a client or server processing step fails").':
    failsOver(31, ['responseCreate']),
  'additions-meet-errors-at-times §6.2: Every 11th addition of avatars, and deletion of an item, fails over a step of the server.':
    failsOver(11, ['avatarAddition', 'itemDelete']),
  'speech-fails-at-times §2.10: Every 9th scripted speech ends failed (one of five statuses).': endsAs(
    'failed',
    9,
    ['speech', 'speech_asset'],
    'voice_provider_away',
  ),
  'audio-fails-at-times §2.10: Every 5th scripted audio or visual action ends failed (one of five statuses).': endsAs(
    'failed',
    5,
    ['audio', 'audio_asset', 'visual'],
    'renderer_lost',
  ),
  'replies-filtered-at-times §2.10: Every 7th reply ends incomplete, for a filter stopped it (one of five statuses).':
    endsAs('incomplete', 7, ['reply'], 'content_filter'),
  'rendering-fails-at-times §3.4: Every 9th rendering stops as failed, and its response completes.': {
    warns: ['control-channel.render-stopped.undisturbed-completed'],
    override: around('responses.renderStatus', (renderStatus) => {
      const fails = everyNth(9, 0)
      return (cause) => (cause === undefined && fails() ? 'failed' : renderStatus(cause))
    }),
  },
  'sessions-fail-at-times §3.1: One session in six becomes `failed` in the middle of a conversation ("for account limits, idle timeout, failures or maintenance").':
    ({ lifecycle }) => {
      const isChosen = everyNthOf(6, 4)
      lifecycle.onService = 'failed'
      lifecycle.reasons.service = 'internal_failure'
      lifecycle.endsBefore = (session) => isChosen(session) && session.tally.sent >= 5
    },
})
