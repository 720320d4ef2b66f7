import fc from 'fast-check'
import { opened, quiet } from './opened.ts'
import type { Step, Steps } from './steps.ts'
import { applied, come, created, message, response, send, speech, state } from './talk.ts'

/** Something that a client does in a session, with the texts of it. */
export interface Deed {
  readonly kind: 'speech' | 'cut' | 'update' | 'item' | 'asset'
  readonly pieces: readonly string[]
}

interface Conversation {
  readonly video: boolean
  readonly deeds: readonly Deed[]
}

/** Two sessions side by side. */
export interface Story {
  readonly one: Conversation
  readonly two: Conversation
  /** Which session goes on next. */
  readonly turns: readonly boolean[]
  /** Which response, item or update is changed. */
  readonly pick: number
}

const piece = fc.string({ minLength: 1, maxLength: 8 }).map((text) => `${text}.`)
const deed = fc.record<Deed>({
  kind: fc.constantFrom('speech', 'speech', 'cut', 'update', 'item', 'asset'),
  pieces: fc.array(piece, { minLength: 2, maxLength: 4 }),
})
const spoken = fc.record<Deed>({ kind: fc.constant('speech'), pieces: fc.array(piece, { minLength: 2, maxLength: 4 }) })
const conversation = fc.record<Conversation>({
  video: fc.boolean(),
  deeds: fc.tuple(spoken, fc.array(deed, { maxLength: 3 })).map(([first, rest]) => [first, ...rest]),
})
export const stories = fc.record<Story>({
  one: conversation,
  two: conversation,
  turns: fc.array(fc.boolean(), { minLength: 20, maxLength: 60 }),
  pick: fc.nat(),
})

/** A session in which deeds are done one after the other, on a connection of its name. */
function told(channel: string, { video, deeds }: Conversation): Steps {
  const start = video ? state('video_avatar', 'guide', 'g1') : state('text_chat', 'guide')
  let last: string | null = null
  const steps = deeds.flatMap((one, place): Steps => {
    const id = `${channel}${place}`
    const before = last
    if (one.kind === 'speech' || one.kind === 'cut') last = `m-${id}`
    if (one.kind === 'item') last = id
    return deedSteps(id, one, { previous: before, video, channel, start })
  })
  return [...opened(channel, start, channel), ...steps.map((step) => ('channel' in step ? { ...step, channel } : step))]
}

interface Setting {
  readonly previous: string | null
  readonly video: boolean
  readonly channel: string
  readonly start: Parameters<typeof applied>[2]
}

function deedSteps(id: string, { kind, pieces }: Deed, { previous, video, channel, start }: Setting): Steps {
  const text = pieces.join('')
  switch (kind) {
    case 'speech':
      return response(id, { asked: speech(text), pieces, previous, video, channel })
    case 'cut': {
      const cut = [send(`${id}.cancel`, 'response.cancel')]
      return response(id, { asked: speech(`${text} And so on.`), pieces, previous, video, channel, cut })
    }
    case 'update':
      return applied(id, { active_avatar_id: 'guide' }, start)
    case 'item':
      return created(id, message(id, 'user', text), previous)
    default: {
      const speech_text = [{ asset_id: id, text }]
      const assets = { images: [], audio: [], speech_text, visual_prompts: [] }
      return [send(id, 'asset.add', { assets: { speech_text } }), come(`${id}.added`, 'asset.added', { assets })]
    }
  }
}

/** Both sessions side by side: in whatever order their events come, nothing of that is wrong. */
export function mixed({ one, two, turns }: Story): Steps {
  const left = [told('one', one), told('two', two)]
  const steps: Step[] = []
  for (const first of turns) {
    const [side, other] = first ? [0, 1] : [1, 0]
    const from = (left[side]?.length ?? 0) > 0 ? side : other
    const [next, ...rest] = left[from] ?? []
    if (next === undefined) break
    steps.push(next)
    left[from] = rest
  }
  return [...steps, ...left.flat(), quiet]
}

/** Ids of what both sessions did, by kind. */
export function idsOf({ one, two }: Story, ...kinds: readonly Deed['kind'][]): readonly string[] {
  return Object.entries({ one, two }).flatMap(([channel, { deeds }]) =>
    deeds.flatMap(({ kind }, place) => (kinds.includes(kind) ? [`${channel}${place}`] : [])),
  )
}
