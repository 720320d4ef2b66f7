import { objectAt } from '#target/wire'
import { change, omit, replace } from '#target/overrides/changes'
import { onCreated, onData } from '#target/overrides/data'
import { set } from '#target/overrides/operators'
import { START } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

export const outputDefects = defectsOf('avatar-sessions.output', {
  'present-in-video: A video session shows no output.': onCreated(omit('output')),
  'aspect-ratio-string: The aspect ratio is an object.': onCreated(
    replace('output.aspect_ratio', { width: 9, height: 16 }),
  ),
  'aspect-ratio-echoed: The aspect ratio is turned round.': onCreated(
    change('output.aspect_ratio', (ratio) => String(ratio).split(':').toReversed().join(':')),
  ),
  'resolution-in-set: The resolution lacks its letter.': onCreated(
    change('output.resolution', (resolution) => String(resolution).replace('p', '')),
  ),
  'resolution-echoed: The resolution is always 480p.': onCreated(replace('output.resolution', '480p')),
  'fps-integer: The frame rate is a fraction.': onCreated(replace('output.fps', 23.976)),
  'fps-default: The frame rate is 30.': set('limits.fps', 30),
  'absent-in-text-chat~started: A text chat from a character shows an output.': onData(START, (data) => ({
    output: { aspect_ratio: '9:16', resolution: '480p', fps: 24 },
    ...data,
  })),
  'absent-in-text-chat: A text chat shows an output.': set(
    'views.created.output',
    ({ plan }) => plan.output ?? { aspect_ratio: '9:16', resolution: '480p', fps: 24 },
  ),
  'fps-integer~720p: A picture of 720p has no number of frames.': onCreated((data) =>
    objectAt(data, 'output')['resolution'] === '720p' ? omit('output.fps')(data) : data,
  ),
})
