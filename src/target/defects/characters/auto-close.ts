import type { Override } from '#target/behaviour/behaviour'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import { letThrough, refuseSave, refuseStart } from '../tools/characters.ts'
import { sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

type Kind = 'disconnected' | 'idle'

const FIELDS: Record<Kind, string> = {
  disconnected: 'disconnected_timeout_seconds',
  idle: 'interaction_idle_timeout_seconds',
}

const timeoutOf = (kind: Kind, input: CreateInput): unknown => sent(input, 'auto_close', FIELDS[kind])

/** Refuses what the spec accepts, on save or only when a session is started. */
const refused =
  (kind: Kind, when: 'save' | 'start', broken: (timeout: unknown, input: CreateInput) => boolean): Override =>
  (b) => {
    const faulty = (input: CreateInput): boolean => broken(timeoutOf(kind, input), input)
    if (when === 'start') refuseStart(faulty)(b)
    else for (const operation of ['create-character', 'replace-character'] as const) refuseSave(operation, faulty)(b)
  }

/** A timeout beyond its range exceeds the default duration, too. */
const letHighThrough =
  (kind: Kind): Override =>
  (b) => {
    letThrough('session', `${kind}-high`)(b)
    for (const { session } of [b.validations.character, b.validations.replacement, b.validations.start]) {
      const validation = session[`${kind}-over-duration`]
      const { broken } = validation
      const highest = kind === 'idle' ? b.limits.idleMaximum : b.limits.disconnectedMaximum
      validation.broken = (input) => broken(input) && Number(timeoutOf(kind, input)) <= highest
    }
  }

const equalsDuration = (timeout: unknown, { body }: CreateInput): boolean =>
  timeout !== undefined && timeout === body['max_duration_seconds']

export const autoCloseDefects = defectsOf('characters.auto-close', {
  'disconnected-timeout-0-accepted: A disconnected timeout of 0 cannot be saved.': refused(
    'disconnected',
    'save',
    (timeout) => timeout === 0,
  ),
  'disconnected-timeout-10-accepted: A session does not start with a disconnected timeout of ten seconds.': refused(
    'disconnected',
    'start',
    (timeout) => timeout === 10,
  ),
  'disconnected-timeout-3600-accepted: A disconnected timeout of an hour cannot be saved.': refused(
    'disconnected',
    'save',
    (timeout) => timeout === 3600,
  ),
  'disconnected-timeout-9-refused: A disconnected timeout may be short.': letThrough('session', 'disconnected-low'),
  'disconnected-timeout-3601-refused: A disconnected timeout may be long.': letHighThrough('disconnected'),
  'disconnected-timeout-negative-refused: A disconnected timeout may be negative.': letThrough(
    'session',
    'disconnected-negative',
  ),
  'disconnected-timeout-equal-to-duration-accepted: A disconnected timeout must be shorter than the session.': refused(
    'disconnected',
    'start',
    equalsDuration,
  ),
  'disconnected-timeout-above-duration-refused: A disconnected timeout may be longer than the session.': letThrough(
    'session',
    'disconnected-over-duration',
  ),
  'interaction-idle-timeout-0-accepted: A session does not start with an idle timeout of 0.': refused(
    'idle',
    'start',
    (timeout) => timeout === 0,
  ),
  'interaction-idle-timeout-30-accepted: An idle timeout of half a minute cannot be saved.': refused(
    'idle',
    'save',
    (timeout) => timeout === 30,
  ),
  'interaction-idle-timeout-3600-accepted: An idle timeout of an hour cannot be saved.': refused(
    'idle',
    'save',
    (timeout) => timeout === 3600,
  ),
  'interaction-idle-timeout-29-refused: An idle timeout may be short.': letThrough('session', 'idle-low'),
  'interaction-idle-timeout-3601-refused: An idle timeout may be long.': letHighThrough('idle'),
  'interaction-idle-timeout-negative-refused: An idle timeout may be negative.': letThrough('session', 'idle-negative'),
  'interaction-idle-timeout-equal-to-duration-accepted: An idle timeout must be shorter than the session.': refused(
    'idle',
    'save',
    equalsDuration,
  ),
  'interaction-idle-timeout-above-duration-refused: An idle timeout may be longer than the session.': letThrough(
    'session',
    'idle-over-duration',
  ),
})
