import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, stringAt } from '#trace/json'
import { type Echo, echo, modeOf } from '../echo.ts'
import { followsOverride, merged, type Start } from './model.ts'

const part = 'characters.session'

export const mergedRows: readonly RequirementId[] = [
  `${part}.model-saved`,
  `${part}.model-overridden`,
  `${part}.model-supplied`,
  `${part}.output-saved`,
  `${part}.resolution-overridden`,
  `${part}.aspect-ratio-kept`,
  `${part}.aspect-ratio-overridden`,
  `${part}.resolution-kept`,
  `${part}.output-both-overridden`,
  `${part}.output-empty-keeps`,
  `${part}.transport-default`,
  `${part}.transport-overridden`,
  `${part}.transport-override-replaces-saved`,
  `${part}.delivery-saved`,
  `${part}.delivery-empty-keeps`,
  `${part}.overrides-not-kept`,
]

/** What a start may override: the model, and `output` and `delivery`, which are merged by top-level field (4.1). */
export function mergedEchoes(start: Start): readonly Echo[] {
  const video = modeOf(start.save.body) === 'video_avatar' && at(start.data, '/session/mode') === 'video_avatar'
  return [...modelEcho(start), ...(video ? [...outputEchoes(start), ...transportEcho(start)] : [])]
}

function modelEcho(start: Start): readonly Echo[] {
  const { save, body, data } = start
  const [saved, sent] = [save.body['model'], body['model']]
  const shown = { place: '/model', shown: data['model'] }
  if (sent !== undefined)
    return sent === saved
      ? []
      : echo(saved === undefined ? `${part}.model-supplied` : `${part}.model-overridden`, sent, shown)
  const kept = followsOverride(start) ? echo(`${part}.overrides-not-kept`, saved, shown) : []
  return [...echo(`${part}.model-saved`, saved, shown), ...kept]
}

function outputEchoes(start: Start): readonly Echo[] {
  const { save, body, data } = start
  const wanted = merged(save, body, 'output')
  return (['aspect_ratio', 'resolution'] as const).flatMap((name) => {
    const place = `/output/${name}`
    const where = { place, shown: at(data, place) }
    const found = echo(outputRow(body['output'], name), wanted[name], where)
    const plain = body['output'] === undefined && followsOverride(start)
    return plain ? [...found, ...echo(`${part}.overrides-not-kept`, wanted[name], where)] : found
  })
}

function outputRow(sent: Json | undefined, name: 'aspect_ratio' | 'resolution'): RequirementId {
  if (!isObject(sent)) return `${part}.output-saved`
  const both = sent['aspect_ratio'] !== undefined && sent['resolution'] !== undefined
  if (both) return `${part}.output-both-overridden`
  if (Object.keys(sent).length === 0) return `${part}.output-empty-keeps`
  const row = name === 'aspect_ratio' ? 'aspect-ratio' : 'resolution'
  return `${part}.${row}-${sent[name] === undefined ? 'kept' : 'overridden'}`
}

function transportEcho(start: Start): readonly Echo[] {
  const { save, body, data, earlier } = start
  const place = '/delivery/media/transport'
  const [saved, sent] = [stringAt(save.body, place), stringAt(body, place)]
  const where = { place, shown: at(data, place) }
  if (sent !== undefined) {
    const replaced = saved !== undefined && saved !== sent
    // `rtc_a` is the default as well, so that it shows only where something else was saved.
    const over = sent === 'rtc_b' || replaced ? echo(`${part}.transport-overridden`, sent, where) : []
    return replaced ? [...over, ...echo(`${part}.transport-override-replaces-saved`, sent, where)] : over
  }
  // Who does not save a transport shows the default, whatever was sent before.
  const keeps = saved !== 'rtc_b' || earlier.some((one) => isPlain(one) && stringAt(one.data, place) === saved)
  const telling = keeps && followsOverride(start) && isPlain(start)
  const again = telling ? echo(`${part}.overrides-not-kept`, saved ?? 'rtc_a', where) : []
  if (saved === undefined) return [...echo(`${part}.transport-default`, 'rtc_a', where), ...again]
  const row = isPlain(start) ? `${part}.delivery-saved` : `${part}.delivery-empty-keeps`
  return [...echo(row, saved, where), ...again]
}

function isPlain({ body }: Start): boolean {
  return body['delivery'] === undefined
}
