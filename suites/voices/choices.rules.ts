import type { Rule } from '#judge/rule'
import type { ChoiceId } from '#spec/register'
import { at } from '#trace/json'
import { bodyOf, clonedVoices, isSuccess, shownBy, type Talk, talks } from './log.ts'

const known = new Set(['voice_id', 'name', 'language'])

/** Choices about samples, by the first word of the name under which a scenario asks for a clone of such a one. */
const samples: readonly (readonly [word: string, choice: ChoiceId])[] = [
  ['short', 'voices.clone.short-sample'],
  ['ogg', 'voices.clone.other-container'],
  ['long', 'voices.clone.sample-too-long-code'],
]

/** What this target does where the interface leaves it open. Reported, never judged. */
export const choices: Rule = {
  id: 'voices.choices',
  proves: [],
  judge(trace, report) {
    for (const talk of talks(trace, 'clone-voice')) {
      const body = bodyOf(talk)
      const { line } = talk.answer
      const name = at(body, '/name')
      for (const [word, choice] of samples) {
        if (typeof name === 'string' && name.startsWith(`${word}-`)) report.saw(choice, outcome(talk), line)
      }
      if (name === '') report.saw('voices.clone.name-empty', outcome(talk), line)
      const language = at(body, '/language')
      if (language === '') report.saw('voices.clone.language-empty', outcome(talk), line)
      if (language === 'EN') report.saw('voices.clone.language-upper-case', outcome(talk), line)
    }
    const cloned = clonedVoices(trace)
    const ours = new Set(cloned.map(({ id }) => id))
    const lists = talks(trace, 'list-voices').filter(isSuccess)
    for (const list of lists) {
      const voices = shownBy(list)
      for (const name of new Set(voices.flatMap((voice) => Object.keys(voice)))) {
        if (!known.has(name)) report.saw('voices.list.further-fields', name.slice(0, 60), list.answer.line)
      }
      const placeById = new Map(voices.map((voice, place) => [voice['voice_id'], place] as const).toReversed())
      const places = cloned.flatMap(({ id }) => placeById.get(id) ?? [])
      if (places.length > 1) report.saw('voices.list.order', orderOf(places), list.answer.line)
    }
    for (const talk of talks(trace, 'create-avatar-session')) {
      const voice = at(bodyOf(talk), '/pipeline_config/tts_config/tts_voice_id')
      const isPublic =
        typeof voice === 'string' &&
        !ours.has(voice) &&
        lists.some((list) => list.sent < talk.sent && shownBy(list).some((one) => one['voice_id'] === voice))
      if (isPublic) report.saw('voices.public.in-session', outcome(talk), talk.answer.line)
    }
  },
}

function outcome({ answer }: Talk): string {
  if (answer.kind === 'success') return 'taken'
  return answer.kind === 'failure' ? `refused with ${answer.code}` : 'no answer'
}

function orderOf(places: readonly number[]): string {
  const rising = places.every((place, nth) => nth === 0 || place > (places[nth - 1] ?? 0))
  const falling = places.every((place, nth) => nth === 0 || place < (places[nth - 1] ?? 0))
  if (rising) return 'oldest first'
  return falling ? 'newest first' : 'another order'
}
