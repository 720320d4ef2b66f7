import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import { lookUp, prose, textChat, userMessage } from '../bodies.ts'
import { forRows, given } from '../expectation.ts'
import { lookTwice } from '../items/early.ts'
import { created as itemCreated, makeItem, seek } from '../items/items.ts'
import { refusing } from '../refusals.ts'
import { asking, quiet } from '../responses/responses.ts'
import { seenInSpeech } from '../responses/rows.ts'
import { rows } from '../rows.ts'
import { claiming, ofOneSession } from '../step.ts'
import { speakAfterIdleCancel, speakAfterRefusals } from './after.ts'
import { refuseScripts } from './refusals.ts'
import { findSpoken, foundRows, speak, spokenExactly, warmUp } from './speeches.ts'

/** A user who speaks meanwhile makes an item, too. */
const announced = event(itemCreated, { '/item/role': 'assistant' })

/** In the conversation by default and by name, and out of band. */
const speakInAndOut = claiming(
  {
    script: 'default-speech-written auto-speech-written none-speech-not-written none-announces-no-item',
    'response-create': 'conversation-auto-accepted conversation-none-accepted',
  },
  foundRows,
  speak,
).step(async (talk, known: string): Promise<Condition> => {
  const plainly = 'The library opens at nine.'
  const first = await speak(talk, plainly)
  const found = await findSpoken(talk, first, plainly, 'script.default-speech-written')
  const named = 'It closes at six in the evening.'
  const second = await speak(talk, named, { conversation: 'auto' }, ({ started }) => ({
    'response-create.conversation-auto-accepted': started,
  }))
  await findSpoken(talk, second, named, 'script.auto-speech-written')
  const aside = 'Between you and me, it is closed today.'
  const third = await speak(talk, aside, { conversation: 'none' }, ({ started, created }) => ({
    'response-create.conversation-none-accepted': started,
    'script.none-announces-no-item': given(found, talk.never(announced, { event: created }, talk.after(1))),
  }))
  await seek(talk, third.itemId ?? '', known, ({ nothing }) => ({
    'script.none-speech-not-written': given([third.started, found], nothing),
  }))
  return first.started
})

/**
 * Wherever it is parted into deltas of a fixed length, a pair of UTF-16 units is torn by whoever counts those: the second
 * run of pairs begins at an odd place.
 */
const paired = `Look: ${'😀'.repeat(80)} and ${'🎈'.repeat(80)}!`

/** "Exact spoken text": marks that mean something elsewhere are text like any other here, each kind by itself. */
const punctuated = [
  '[1] Take [this] one (or that), not {those} of {{name}}: ${price}, [a](b).',
  // What parts the actions of a visual prompt parts nothing here.
  'Turn left. [SHOT_SEP] Then turn right.',
  '*Now* or **never**, _softly_ and __slowly__, ~wait~, `so` -- # 2 > 1 ... <3',
  // One character that is joined of several, a blank that breaks no line, and what is an escape elsewhere.
  'A pilot, \u{1F469}\u200D\u2708\uFE0F, flies 10\u00A0km to C:\\new\\table; that is C:\\\\new.',
  '...3 for $1,299.50 at 10:30 on 2024-05-01: see https://example.com/a_b?c=d%20e&f=1#g!?',
]

/** One that is odd, a text that is long, one of characters of four bytes, and some of other marks. */
const speakUnusually = claiming(
  { 'script-speech': 'unusual-text-exact', script: 'default-speech-written' },
  foundRows,
  speak,
).step(async (talk) => {
  const text = '  Straße № 5:\n“Ça va, Zoe\u0308?” — \'oui\', \t日本語 😀 "\\" <b>&amp;</b>\r\nfin  '
  const spoken = await speak(talk, text, {}, (asked) => ({
    'script-speech.unusual-text-exact': given(asked.started, spokenExactly(talk, asked, text)),
  }))
  await findSpoken(talk, spoken, text, 'script.default-speech-written')
  for (const other of [prose(600), paired, ...punctuated]) await speak(talk, other)
})

const policies = [
  ['interrupt', ['scheduling.interrupt-idle-starts']],
  ['after_current_response', ['scheduling.after-current-idle-starts']],
  ['reject_if_busy', ['scheduling.reject-if-busy-idle-starts', 'scheduling.idle-after-done']],
] as const

/** Whatever the policy, an idle session starts at once; the last one comes right after a `response.done`. */
const speakWhenIdle = claiming(
  {},
  policies.flatMap(([, named]) => named),
  speak,
).step(async (talk) => {
  await quiet(talk)
  for (const [scheduling_policy, named] of policies) {
    await speak(talk, `This one is sent with ${scheduling_policy}.`, { scheduling_policy }, ({ started }) =>
      forRows(named, started),
    )
  }
})

/** After words that make the model call a tool, a script still makes none. */
const temptWithTools = claiming({}, speak).step(async (talk) => {
  const { context } = talk
  const words = context.offers('tool_calls') ? context.profile.triggers?.tool_call_text : undefined
  if (words !== undefined) await makeItem(talk, userMessage(words))
  await speak(talk, 'No tool is needed for this.')
})

/** Nothing is rendered in `text_chat`. @param spoke a response was spoken */
const neverRender = claiming({ render: 'never-in-text-chat no-stop-in-text-chat' }).step(
  async (talk, spoke: Condition) => {
    talk.expect({
      'render.never-in-text-chat': given(spoke, talk.never(event('response.render.started'), talk.opened)),
      'render.no-stop-in-text-chat': given(spoke, talk.never(event('response.render.stopped'), talk.opened)),
    })
  },
)

/** Scripted speeches in `text_chat`, one after the other. */
export const scriptedSpeech = ofOneSession({
  id: 'control-channel.speech',
  steps: [
    neverRender,
    speakInAndOut,
    speakUnusually,
    lookTwice,
    speakWhenIdle,
    refuseScripts,
    speakAfterRefusals,
    speakAfterIdleCancel,
    temptWithTools,
    refusing,
    asking,
  ],
  observes: [
    ...rows({
      item: [
        'id-nonempty type-in-set status-in-set message-role-in-set message-content-array part-type-in-set',
        'part-text-string',
      ],
      'item-created': 'previous-item-known once',
      'script-speech': 'completes',
    }),
    ...seenInSpeech,
  ],
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 2 },
  make: (context) => context.create(textChat(context.offers('tool_calls') ? { tools: [lookUp] } : {})),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    await neverRender(talk, await warmUp(talk))
    const { id: known = '' } = await makeItem(talk, userMessage('Please listen.'))
    const control = await speakInAndOut(talk, known)
    await speakUnusually(talk)
    await lookTwice(talk)
    await speakWhenIdle(talk)
    await refuseScripts(talk, control)
    await speakAfterRefusals(talk)
    await speakAfterIdleCancel(talk, known)
    await temptWithTools(talk)
    await talk.leave()
  },
})
