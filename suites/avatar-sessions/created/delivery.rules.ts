import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, stringAt } from '#trace/json'
import { equal } from '#trace/match'
import { effectiveOf } from './model.ts'
import { type Creation, creations, plainCreations } from './creations.ts'

const publisherRow: RequirementId = 'avatar-sessions.delivery.publisher-other-than-client'
const variants = ['rtc_a', 'rtc_b'] as const

/** Media details and output of video sessions, and their absence in `text_chat` (2.1, 2.2, section 8). */
export const sessionDelivery: Rule = {
  id: 'avatar-sessions.session-delivery',
  proves: [
    'avatar-sessions.create.transport-default',
    'avatar-sessions.create.transport-rtc-a',
    'avatar-sessions.create.transport-rtc-b',
    'avatar-sessions.delivery.exactly-one-variant',
    'avatar-sessions.delivery.variant-matches-transport',
    publisherRow,
    'avatar-sessions.output.fps-default',
    'limits.output-fps.default-24',
    'limits.output-fps.effective-value-returned',
    'avatar-sessions.output.absent-in-text-chat',
    'avatar-sessions.delivery.absent-in-text-chat',
  ],
  judge(trace, report) {
    for (const creation of plainCreations(trace)) {
      const asked = effectiveOf(creation.body).mode.value
      const mode = stringAt(creation.data, '/session/mode')
      if (mode !== asked) continue
      const sayer = sayerOf(creation, report)
      if (mode === 'text_chat') judgeText(creation, sayer)
      else {
        judgeMedia(creation, sayer)
        judgeRate(creation, sayer)
      }
    }
    // "Response: same as Create Session": a start tells its mode itself.
    for (const creation of creations(trace)) {
      if (creation.record.operation !== 'create-session-from-character') continue
      const sayer = sayerOf(creation, report)
      if (stringAt(creation.data, '/session/mode') === 'text_chat') judgeText(creation, sayer)
      else for (const name of variants) judgePublisher(at(creation.data, `/delivery/media/${name}`), sayer)
    }
  },
}

type Say = (row: RequirementId, holds: boolean, expected: string, got: Json | undefined) => void

function sayerOf({ line, lines, record }: Creation, report: Report): Say {
  return (row, holds, expected, got) => {
    if (holds) report.held(row, line)
    else report.broken(row, { expected, got: show(got), lines, scenario: record.scenario })
  }
}

/** SHOULD: `output` is ignored and `delivery` belongs to video. */
function judgeText({ data }: Creation, say: Say): void {
  for (const name of ['output', 'delivery'] as const) {
    say(`avatar-sessions.${name}.absent-in-text-chat`, data[name] === undefined, `no ${name} in text_chat`, data[name])
  }
}

function judgeMedia({ body, data }: Creation, say: Say): void {
  const media = at(data, '/delivery/media')
  if (!isObject(media)) return
  const transport = media['transport']
  const shown = variants.filter((name) => media[name] !== undefined)
  const one = shown.length === 1
  say('avatar-sessions.delivery.exactly-one-variant', one, 'details of exactly one transport', [...shown])
  for (const name of shown) judgePublisher(media[name], say)
  if (transport !== 'rtc_a' && transport !== 'rtc_b') return
  if (one) {
    const matches = shown[0] === transport
    say('avatar-sessions.delivery.variant-matches-transport', matches, `details of ${transport}`, [...shown])
  }
  const wanted = effectiveOf(body).transport
  const row =
    wanted?.by === 'default' ? 'transport-default' : wanted?.value === 'rtc_b' ? 'transport-rtc-b' : 'transport-rtc-a'
  say(`avatar-sessions.create.${row}`, transport === wanted?.value, show(wanted?.value), transport)
}

/** One id is assigned to the client, the other is whom it subscribes to. */
function judgePublisher(details: Json | undefined, say: Say): void {
  const [client, publisher] = [stringAt(details, '/user_id') ?? '', stringAt(details, '/publisher_user_id') ?? '']
  if (client === '' || publisher === '') return
  say(publisherRow, client !== publisher, `another id than that of the client, ${show(client)}`, publisher)
}

/** "24 by default (effective value returned)": no field of a create asks for another rate. */
function judgeRate({ data }: Creation, say: Say): void {
  const rate = at(data, '/output/fps')
  if (!isObject(data['output'])) return
  say('limits.output-fps.effective-value-returned', rate !== undefined, 'the effective frame rate', rate)
  if (!Number.isInteger(Number(rate ?? Number.NaN)) || Number(rate) <= 0) return
  for (const row of ['avatar-sessions.output.fps-default', 'limits.output-fps.default-24'] as const) {
    say(row, equal(rate ?? null, 24), '24', rate)
  }
}
