import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, textsIn } from '#trace/json'
import { referencesOf } from '../bodies.ts'
import { type Creation, say, worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'

const rows = {
  array: 'world-sessions.references.array',
  unasked: 'world-sessions.references.array-unasked',
  names: 'world-sessions.references.names-returned',
  only: 'world-sessions.references.name-only',
} as const satisfies { readonly [name: string]: RequirementId }

/** Members of content blocks (2.13), which a returned reference does not carry. */
const ofContent = ['content', 'text', 'url', 'mime_type', 'transcript']

/** "Returned as items carrying `name` only" (2.11). */
export const references: Rule = {
  id: 'world-sessions.references',
  proves: Object.values(rows),
  judge(trace, report) {
    const { creations, creates, worlds } = worldsOf(trace)
    for (const creation of creations) {
      if (creation.plain && creation.data['status'] !== 'failed') judge(creation, report)
    }
    for (const { creation, gets } of worlds.values()) {
      const sent = referencesOf(creation.call.asked)
      if (creation.plain && sent.length > 0) for (const get of gets) judgeShown(get, sent, report)
    }
    // A repeated create may show less than the first one, but what it shows has the same form.
    const firsts = new Set(creations.map(({ call }) => call))
    for (const call of creates) {
      const sent = referencesOf(call.asked)
      if (sent.length > 0 && !firsts.has(call)) judgeShown(call, sent, report)
    }
  },
}

function judge({ call, data }: Creation, report: Report): void {
  const sent = referencesOf(call.asked)
  const shown = data['references']
  if (sent.length === 0) {
    const empty = Array.isArray(shown) && shown.length === 0
    say(report, rows.unasked, empty, { expected: 'an empty array', got: show(shown), call })
    return
  }
  if (shown === undefined) say(report, rows.array, false, { expected: 'an array', got: 'nothing', call })
  if (!Array.isArray(shown)) return
  const items = shown as readonly Json[]
  const [wanted, got] = [sent.map(nameOf), items.map(nameOf)]
  // "By name only" says nothing of their order.
  const alike = show(wanted.toSorted()) === show(got.toSorted())
  say(report, rows.names, alike, { expected: show(wanted), got: show(got), call })
  judgeShown(call, sent, report)
}

function judgeShown(call: Call, sent: readonly JsonObject[], report: Report): void {
  const shown = call.data?.['references']
  if (!Array.isArray(shown)) return
  const more = (shown as readonly Json[]).flatMap((item) => strange(item, sent))
  say(report, rows.only, more.length === 0, { expected: 'a name alone', got: more.join(', '), call })
}

function nameOf(item: Json): string {
  return show(at(item, '/name'))
}

/** What of the content an item carries, by its names or by its values. New fields may appear (9.3). */
function strange(item: Json, sent: readonly JsonObject[]): readonly string[] {
  if (!isObject(item)) return []
  const secret = new Set(sent.flatMap((one) => wordsOf(one['content'])))
  return Object.entries(item)
    .filter(([name]) => name !== 'name')
    .filter(([name, value]) => ofContent.includes(name) || wordsOf(value).some((word) => secret.has(word)))
    .map(([name]) => name)
}

/** Texts and URLs at any depth; types of blocks tell nothing. */
function wordsOf(value: Json | undefined): readonly string[] {
  return textsIn(value).filter((text) => !/^(input_\w+|\w+\/\w+)$/.test(text))
}
