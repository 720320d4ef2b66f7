import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { sessionShape } from './shape.rules.ts'

const row = 'characters.session.response-shape'
const talk = { name: 'a', model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }

/** What a session in video shows that was made of an earlier save. */
const earlier = {
  session: { mode: 'video_avatar', active_avatar_id: 'ada', source_image_id: 'i' },
  output: { aspect_ratio: '9:16', resolution: '480p', fps: 24 },
  delivery: {
    media: {
      transport: 'rtc_a',
      rtc_a: { sdk_app_id: 'a', room_id: 'r', user_id: 'u', user_sig: 's', publisher_user_id: 'p' },
    },
  },
}

test.each([
  ['a run knows the mode of what was saved', undefined, 'broken'],
  ['in a recording a session may be of another save', 'watch' as const, 'held'],
])('%s', (_, recording, verdict) => {
  const story = new CharacterStory().create('chr_1', talk)
  const { entries } = story.start('chr_1', {}, (data) => ({ ...data, ...earlier })).trace
  const trace = new TraceBuilder(recording === undefined ? {} : { recording })
  for (const entry of entries.slice(1)) trace.add(entry)
  expect([...saidOf([sessionShape], trace)]).toContain(`${verdict} ${row}`)
  expect([...saidOf([sessionShape], trace)]).not.toContain(`${verdict === 'held' ? 'broken' : 'held'} ${row}`)
})
