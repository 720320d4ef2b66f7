import { change, put } from '#target/overrides/changes'
import { around, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'
import { onMade } from '../tools/world-sessions.ts'

export const outputDefects = defectsOf('world-sessions.output', {
  'resolution-default: Unasked, a session has 480p, though 720p is supported.': set(
    'world.create.defaultResolution',
    () => '480p',
  ),
  'resolution-default~square: A square output has 480p by default.': around(
    'world.create.output',
    (output) => (asked, defaults) =>
      output(asked, asked['aspect_ratio'] === '1:1' ? { ...defaults, resolution: '480p' } : defaults),
  ),
  'aspect-ratio-in-set: The ratio is shown as a number.': onMade(put('output.aspect_ratio', 1.78)),
  'aspect-ratio-in-set~slash: The ratio is written with a slash.': onMade(
    change('output.aspect_ratio', (ratio) => String(ratio).replace(':', '/')),
  ),
  'resolution-in-set: The resolution is shown by its size.': onMade(
    change('output.resolution', (value) => (value === '720p' ? '1280x720' : '854x480')),
  ),
  'fps-positive: The frame rate is zero.': set('world.create.fps', 0),
  'fps-positive~missing: The frame rate is not returned.': onMade(put('output.fps', undefined)),
  'captions-boolean: Captions are shown in words.': onMade(
    change('output.captions', (on) => (on === true ? 'on' : 'off')),
  ),
  'aspect-ratio-effective: Every session is wide, whatever was asked.': around(
    'world.create.output',
    (output) => (asked, defaults) => ({ ...output(asked, defaults), aspect_ratio: '16:9' }),
  ),
  'aspect-ratio-effective~square: A square is made upright.': onMade(
    change('output.aspect_ratio', (ratio) => (ratio === '1:1' ? '9:16' : ratio)),
  ),
  'resolution-effective: Whoever asks for 480p gets 720p.': onMade(change('output.resolution', () => '720p')),
  'captions-effective: Requested captions stay off.': around('world.create.output', (output) => (asked, defaults) => ({
    ...output(asked, defaults),
    captions: false,
  })),
  'captions-off-effective: Captions are on as soon as they are named.': around(
    'world.create.output',
    (output) => (asked, defaults) => ({
      ...output(asked, defaults),
      captions: asked['captions'] !== undefined,
    }),
  ),
  'aspect-ratio-default: Unasked, a session is upright.': set('world.create.defaultRatio', '9:16'),
  'partial-keeps-defaults~captions: Captions that a session asked for stay on for those that do not name them.': around(
    'world.create.output',
    (output) => {
      let last: unknown
      return (asked, defaults) => {
        last = asked['captions'] ?? last
        return { ...output(asked, defaults), captions: last ?? false }
      }
    },
  ),
  'captions-default: Unasked, captions are on.': around('world.create.output', (output) => (asked, defaults) => ({
    ...output(asked, defaults),
    captions: asked['captions'] ?? true,
  })),
  'partial-keeps-defaults: An output without a resolution means 480p.': around(
    'world.create.output',
    (output) => (asked, defaults) =>
      output(asked, { ...defaults, resolution: Object.keys(asked).length > 0 ? '480p' : defaults.resolution }),
  ),
  'partial-keeps-defaults~ratio: An output without a ratio means a square.': around(
    'world.create.output',
    (output) => (asked, defaults) =>
      output(asked, { ...defaults, ratio: Object.keys(asked).length > 0 ? '1:1' : defaults.ratio }),
  ),
  'captions-effective~480p: A session of 480p says that it has no captions.': around(
    'world.create.output',
    (output) => (asked, defaults) => ({
      ...output(asked, defaults),
      ...(asked['resolution'] === '480p' ? { captions: false } : {}),
    }),
  ),
})
