import { billingCodes, keyCodes } from '#spec/code-groups'
import { medium } from '#media/media'
import { speech } from '#media/speech'
import { stereo, wav } from '#media/wav'
import type { Context } from '#scenario/author/context'
import { outcome, type Refusal, rejection, rowsOfRefusals } from '#scenario/author/expectation'
import { optionalRefusals, sentOf } from '#scenario/author/optional'
import { step } from '#scenario/author/step'
import { unfound, unissued } from '#scenario/author/unissued'
import type { RequirementId } from '#spec/register'
import { accepted, all, answer, any, different, equals, oneOf, rejected, status, value } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { clone, cloneable, type Library, sampleOf } from './library.ts'
import { besides, inCapitals, languages, longestName, nameOf, unlisted, withRegion } from './names.ts'

interface Refused extends Refusal<RequirementId> {
  readonly control: 'works' | 'speaks'
  /** The fault, in the place of what a good body has there. */
  readonly body: (good: JsonObject, context: Context) => JsonObject
}

const refusals = [
  {
    rows: 'voices.clone.name-required',
    coded: 'voices.code-20003.name-missing',
    codes: [20003],
    control: 'works',
    body: ({ file_id = '' }) => ({ file_id }),
  },
  {
    rows: 'voices.clone.file-id-required',
    coded: 'voices.code-20003.file-id-missing',
    codes: [20003],
    control: 'works',
    body: ({ name = '' }) => ({ name }),
  },
  {
    rows: 'voices.name.129-characters-rejected',
    coded: 'voices.code-20004.name-too-long',
    codes: [20004],
    control: 'works',
    body: (good, context) => ({ ...good, name: nameOf(context, 'refused', longestName + 1, 'aéß ') }),
  },
  {
    rows: 'voices.clone.language-unlisted-rejected',
    coded: 'voices.code-20004.language-unlisted',
    codes: [20004],
    control: 'speaks',
    body: (good) => ({ ...good, language: unlisted }),
  },
  {
    rows: 'voices.clone.language-with-region-rejected',
    coded: 'voices.code-20004.language-with-region',
    codes: [20004],
    control: 'speaks',
    body: (good) => ({ ...good, language: withRegion }),
  },
  {
    // Neither name nor file: of the same code, whichever is missed first.
    coded: ['voices.code-20003.name-missing', 'voices.code-20003.file-id-missing'],
    codes: [20003],
    control: 'works',
    body: () => ({}),
  },
] as const satisfies readonly Refused[]

/** Those on which nothing else rests. */
export const optionalClones = optionalRefusals(refusals)

const capitalsRow = 'voices.clone.language-in-capitals-rejected'

export const unknownFile = {
  rows: 'voices.clone.file-unknown-rejected',
  coded: 'voices.code-20005.file-unknown',
} as const

/** Clones that are refused, each under a name that no voice may have afterwards. */
export const refuseFaults = step(
  [...rowsOfRefusals(refusals), capitalsRow, unknownFile.rows, unknownFile.coded],
  async (c, library: Library) => {
    const good = () => ({ name: c.id('refused'), file_id: library.file })
    for (const { body, control, ...refusal } of sentOf(c, refusals)) {
      await clone(c, body(good(), c), { expect: rejection({ ...refusal, control: library[control] }) })
    }
    if (c.takes('unknown-file')) {
      const strange = unissued(library.file)
      const expect = unfound(unknownFile, strange, library.works)
      await clone(c, { ...good(), file_id: strange.id, language: besides.unknownFile }, { expect })
    }
    if (!c.takes('capitals')) return
    // A code in capitals is none of the list: refused, or at least no language of a voice.
    const capitals = outcome('voices.clone.language-unlisted-rejected', (exchange) =>
      any(rejected(exchange, library.speaks), equals(answer(exchange, '/data/language'), oneOf(...languages))),
    )
    // Whoever takes it for the same in small letters does not answer with the value sent.
    const refusal = rejection({ rows: capitalsRow, control: library.speaks })
    await clone(c, { ...good(), language: inCapitals }, { expect: [capitals, refusal] })
  },
)

/**
 * A minute and a second of what is an honest sample otherwise, in two channels, which share it and do not halve it. At which
 * step it is refused is not said.
 */
export const refuseTooLong = step(['voices.sample.61-seconds-rejected'], async (c, { works }: Library) => {
  const rate = 16_000
  const later = c.exchange()
  const expect = outcome('voices.sample.61-seconds-rejected', (sent) =>
    any(rejected(sent, works), rejected(later, works)),
  )
  const multipart = [sampleOf('long.wav', 'audio/wav', wav(stereo(speech(61, rate)), { rate, channels: 2 }))]
  const { data } = await c.call('upload-audio', { multipart, deadline_ms: 60_000, expect })
  const file_id = at(data, '/file_id')
  if (typeof file_id === 'string') await clone(c, { name: c.id('long'), file_id }, { exchange: later })
})

const noJson = 'voices.clone.body-not-json-rejected'

/** A body that ends in the middle. */
export const refuseNonsense = step([noJson], async (c, { works: control }: Library) => {
  const text = `{"name":"${c.id('refused')}","file_id":`
  await c.call('clone-voice', { text, expect: rejection({ rows: noJson, control }) })
})

/** The profile's name with which the provider's call fails. */
export const failProvider = step(
  ['voices.code-30007.provider-failed', 'voices.code-30007.status-502'],
  async (c, library: Library) => {
    const { works } = library
    const name = c.profile.triggers?.failing_voice_name
    if (name === undefined) return
    const failed = (exchange: number) => rejected(exchange, works, [30007])
    const expect = [
      outcome('voices.code-30007.provider-failed', failed),
      outcome(
        'voices.code-30007.status-502',
        (exchange) => equals(status(exchange), value(502)),
        (exchange) => ({ given: [failed(exchange)] }),
      ),
    ]
    await clone(c, { name, file_id: await cloneable(c, library), language: besides.failing }, { expect })
  },
)

/**
 * With a key of another workspace a file is not found. `known` shows that the key may ask for voices; whether it may clone any
 * is another matter, and may be looked at first: a refusal with another code counts where a file that nobody has is not found.
 */
export const refuseForeignFile = step(
  ['audio-files.scope.other-workspace-excluded', 'voices.code-20005.file-of-other-workspace'],
  async (c, library: Library, known: number) => {
    const key = 'other_workspace'
    const nobodys = c.exchange()
    const isMissing = (exchange: number) => equals(answer(exchange, '/code'), value(20005))
    const refusal = {
      rows: 'audio-files.scope.other-workspace-excluded',
      coded: 'voices.code-20005.file-of-other-workspace',
      codes: [20005],
      control: all(library.works, accepted(known)),
    } as const
    const expect = rejection(refusal, (exchange) => ({
      onlyIf: [any(accepted(exchange), isMissing(exchange), isMissing(nobodys))],
    }))
    const file_id = await cloneable(c, library)
    const body = { name: c.id('refused'), file_id, language: besides.foreignFile }
    const { ok, code } = await clone(c, body, { key, expect })
    if (ok || code === 20005) return
    // Without the language, which is no fault either.
    await clone(c, { name: c.id('refused'), file_id: unissued(file_id).id }, { key, exchange: nobodys })
  },
)

const ungranted = 'authentication.access.denied-key-10009'
/** Codes of load, of a balance that is used up, and of a key which the target doesn't know: another fault beside that of the key. */
const aside = [...keyCodes, 10008, ...billingCodes]

/** A key of which the profile says that it must not clone does so from no file of its own. It may not even upload one. */
export const refuseUngranted = step([ungranted], async (c, { works }: Library) => {
  const key = 'access_denied'
  const { data } = await c.call('upload-audio', {
    key,
    multipart: [sampleOf('speech.wav', 'audio/wav', medium('speech.wav'))],
  })
  const file_id = at(data, '/file_id')
  if (typeof file_id !== 'string') return
  const code = (exchange: number) => answer(exchange, '/code')
  const expect = outcome(
    ungranted,
    (exchange) => equals(code(exchange), value(10009)),
    (exchange) => ({ given: [works, different(code(exchange), oneOf(...aside))] }),
  )
  await clone(c, { name: c.id('refused'), file_id }, { key, expect })
})
