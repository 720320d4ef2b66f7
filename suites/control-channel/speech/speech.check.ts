import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import { lookUp, prose, textChat, userMessage } from '../bodies.ts'
import { created as itemCreated, makeItem, seek } from '../items/items.ts'
import { seenInSpeech } from '../responses/rows.ts'
import { quiet } from '../responses/responses.ts'
import { type Row, rows } from '../rows.ts'
import { speakAfterIdleCancel, speakAfterRefusals } from './after.ts'
import { refuseScripts } from './refusals.ts'
import { findSpoken, speak, spokenExactly, warmUp } from './speeches.ts'
import { Talk } from '../talk.ts'

/** Scripted speeches in `text_chat`, one after the other. */
export const scriptedSpeech: Scenario = {
  id: 'control-channel.speech',
  proves: [
    ...rows(
      'item.id-nonempty',
      'item.type-in-set',
      'item.status-in-set',
      'item.message-role-in-set',
      'item.message-content-array',
      'item.part-type-in-set',
      'item.part-text-string',
      'item-created.for-generated-output',
      'item-created.previous-item-known',
      'item-created.once',
      'item-retrieve.generated-item',
      'response-create.yields-created',
      'response-create.created-once',
      'response-create.rejected-not-created',
      'response-create.created-only-when-asked',
      'response-create.conversation-auto-accepted',
      'response-create.conversation-none-accepted',
      'script.input-beside-rejected',
      'script.instructions-beside-rejected',
      'script.tools-beside-rejected',
      'script.max-output-tokens-beside-rejected',
      'script.empty-rejected',
      'script.no-tool-calls',
      'script.no-generated-text',
      'script.one-item-for-text',
      'script.auto-speech-written',
      'script.default-speech-written',
      'script.none-speech-not-written',
      'script.none-announces-no-item',
      'script.written-text-exact',
      'script-speech.accepted',
      'script-speech.text-done-exact',
      'script-speech.text-streamed',
      'script-speech.unusual-text-exact',
      'script-speech.text-missing-rejected',
      'script-speech.completes',
      'scheduling.interrupt-idle-starts',
      'scheduling.reject-if-busy-idle-starts',
      'scheduling.after-current-idle-starts',
      'scheduling.idle-after-done',
      'response-done.completed-text-whole',
      'render.never-in-text-chat',
      'render.no-stop-in-text-chat',
      'error.event-id-names-cause',
    ),
    ...seenInSpeech,
  ],
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 2 },
  async drive(context) {
    const tools = context.offers('tool_calls') ? { tools: [lookUp] } : {}
    const session = await context.create(textChat(tools))
    const talk = new Talk(context, await context.connect(session))
    const given = { given: [await warmUp(talk)] }
    talk.claim('render.never-in-text-chat', talk.never(event('response.render.started'), talk.opened), given)
    talk.claim('render.no-stop-in-text-chat', talk.never(event('response.render.stopped'), talk.opened), given)
    const { id: known = '' } = await makeItem(talk, userMessage('Please listen.'))
    const twin = await speakInAndOut(talk, known)
    await speakUnusually(talk)
    await speakWhenIdle(talk)
    await refuseScripts(talk, twin)
    await speakAfterRefusals(talk)
    await speakAfterIdleCancel(talk, known)
    await temptWithTools(context, talk)
    await talk.leave()
  },
}

/** In the conversation by default and by name, and out of band. */
async function speakInAndOut(talk: Talk, known: string): Promise<Condition> {
  const plainly = 'The library opens at nine.'
  const first = await speak(talk, plainly)
  const found = await findSpoken(talk, first, plainly, ['script.default-speech-written'])
  const named = 'It closes at six in the evening.'
  const second = await speak(talk, named, { conversation: 'auto' }, ({ started }) => {
    talk.claim('response-create.conversation-auto-accepted', started)
  })
  await findSpoken(talk, second, named, ['script.auto-speech-written'])
  const aside = 'Between you and me, it is closed today.'
  const third = await speak(talk, aside, { conversation: 'none' }, ({ started, created }) => {
    talk.claim('response-create.conversation-none-accepted', started)
    const silent = talk.never(event(itemCreated), { event: created }, talk.after(1))
    talk.claim('script.none-announces-no-item', silent, { given: [found] })
  })
  await seek(talk, third.itemId ?? '', known, ({ nothing }) => {
    talk.claim('script.none-speech-not-written', nothing, { given: [third.started, found] })
  })
  return first.started
}

/**
 * Wherever it is parted into deltas of a fixed length, a pair of UTF-16 units is torn by whoever counts those: the second
 * run of pairs begins at an odd place.
 */
const paired = `Look: ${'😀'.repeat(80)} and ${'🎈'.repeat(80)}!`

/** "Exact spoken text": marks that mean something elsewhere are text like any other here, each kind by itself. */
const punctuated = [
  '[1] Take [this] one (or that), not {those} of {{name}}: ${price}, [a](b).',
  '*Now* or **never**, _softly_ and __slowly__, ~wait~, `so` -- # 2 > 1 ... <3',
  '...3 for $1,299.50 at 10:30 on 2024-05-01: see https://example.com/a_b?c=d%20e&f=1#g!?',
]

/** One that is odd, a text that is long, one of characters of four bytes, and some of other marks. */
async function speakUnusually(talk: Talk): Promise<void> {
  const text = '  Straße № 5:\n“Ça va?” — \'oui\', \t日本語 😀 "\\" <b>&amp;</b>\r\nfin  '
  const spoken = await speak(talk, text, {}, (asked) => {
    talk.claim('script-speech.unusual-text-exact', spokenExactly(talk, asked, text), { given: [asked.started] })
  })
  await findSpoken(talk, spoken, text, ['script.default-speech-written'])
  for (const other of [prose(600), paired, ...punctuated]) await speak(talk, other)
}

/** Whatever the policy, an idle session starts at once; the last one comes right after a `response.done`. */
async function speakWhenIdle(talk: Talk): Promise<void> {
  const policies: readonly (readonly [policy: string, rows: readonly Row[]])[] = [
    ['interrupt', ['scheduling.interrupt-idle-starts']],
    ['after_current_response', ['scheduling.after-current-idle-starts']],
    ['reject_if_busy', ['scheduling.reject-if-busy-idle-starts', 'scheduling.idle-after-done']],
  ]
  await quiet(talk)
  for (const [scheduling_policy, named] of policies) {
    await speak(talk, `This one is sent with ${scheduling_policy}.`, { scheduling_policy }, ({ started }) => {
      talk.claim(named, started)
    })
  }
}

/** After words that make the model call a tool, a script still makes none. */
async function temptWithTools(context: Context, talk: Talk): Promise<void> {
  const words = context.offers('tool_calls') ? context.profile.triggers?.tool_call_text : undefined
  if (words !== undefined) await makeItem(talk, userMessage(words))
  await speak(talk, 'No tool is needed for this.')
}
