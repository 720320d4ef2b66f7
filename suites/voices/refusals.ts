import type { RequirementId } from '#spec/register'
import { speech } from '#media/speech'
import { stereo, wav } from '#media/wav'
import type { Context } from '#scenario/author/context'
import { claimUnfound, unissued } from '#scenario/author/unissued'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, any, equals, oneOf, rejected, status, value } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { clone, type Library, sampleOf } from './library.ts'
import { inCapitals, languages, longestName, nameOf, unlisted, withRegion } from './names.ts'

interface Refusal {
  readonly plain: RequirementId
  readonly coded: RequirementId
  readonly codes: readonly number[]
  readonly twin: 'works' | 'speaks'
  /** The fault, in the place of what a good body has there. */
  readonly body: (good: JsonObject, context: Context) => JsonObject
}

const refusals: readonly Refusal[] = [
  {
    plain: 'voices.clone.name-required',
    coded: 'voices.code-20003.name-missing',
    codes: [20003],
    twin: 'works',
    body: ({ file_id = '' }) => ({ file_id }),
  },
  {
    plain: 'voices.clone.file-id-required',
    coded: 'voices.code-20003.file-id-missing',
    codes: [20003],
    twin: 'works',
    body: ({ name = '' }) => ({ name }),
  },
  {
    plain: 'voices.name.129-characters-rejected',
    coded: 'voices.code-20004.name-too-long',
    codes: [20004],
    twin: 'works',
    body: (good, context) => ({ ...good, name: nameOf(context, 'refused', longestName + 1) }),
  },
  {
    plain: 'voices.clone.language-unlisted-rejected',
    coded: 'voices.code-20004.language-unlisted',
    codes: [20004],
    twin: 'speaks',
    body: (good) => ({ ...good, language: unlisted }),
  },
  {
    plain: 'voices.clone.language-with-region-rejected',
    coded: 'voices.code-20004.language-with-region',
    codes: [20004],
    twin: 'speaks',
    body: (good) => ({ ...good, language: withRegion }),
  },
]

const unknownFile = {
  plain: 'voices.clone.file-unknown-rejected',
  coded: 'voices.code-20005.file-unknown',
} as const satisfies { readonly [name: string]: RequirementId }

const tooLong: RequirementId = 'voices.sample.61-seconds-rejected'

export const refusalRows: readonly RequirementId[] = [
  ...refusals.flatMap(({ plain, coded }) => [plain, coded]),
  ...Object.values(unknownFile),
  tooLong,
  'voices.clone.refused-makes-nothing',
]

export const failureRows: readonly RequirementId[] = [
  'voices.code-30007.provider-failed',
  'voices.code-30007.status-502',
  'voices.code-30007.makes-nothing',
]

/** Clones that are refused, each under a name that no voice may have afterwards. */
export async function refuse(context: Context, library: Library): Promise<void> {
  for (const { plain, coded, codes, twin, body } of refusals) {
    const exchange = context.exchange()
    context.claim(plain, rejected(exchange, library[twin]))
    context.claim(coded, rejected(exchange, library[twin], codes))
    const good = { name: context.id('refused'), file_id: library.file }
    await clone(context, body(good, context), { exchange })
  }
  await refuseUnknownFile(context, library)
  await refuseEmpty(context, library)
  await refuseCapitals(context, library)
}

async function refuseUnknownFile(context: Context, { file, works: twin }: Library): Promise<void> {
  const exchange = context.exchange()
  const strange = unissued(file)
  claimUnfound(context, unknownFile, strange, { exchange, twin })
  await clone(context, { name: context.id('refused'), file_id: strange.id }, { exchange })
}

/** Neither name nor file: of the same code, whichever is missed first. */
async function refuseEmpty(context: Context, { works }: Library): Promise<void> {
  const exchange = context.exchange()
  for (const row of ['voices.code-20003.name-missing', 'voices.code-20003.file-id-missing'] as const) {
    context.claim(row, rejected(exchange, works, [20003]))
  }
  await clone(context, {}, { exchange })
}

/** A code in capitals is none of the list: refused, or at least no language of a voice. */
async function refuseCapitals(context: Context, { file, speaks }: Library): Promise<void> {
  const exchange = context.exchange()
  const listed = equals(answer(exchange, '/data/language'), oneOf(...languages))
  context.claim('voices.clone.language-unlisted-rejected', any(rejected(exchange, speaks), listed))
  const body = { name: context.id('refused'), file_id: file, language: inCapitals }
  await clone(context, body, { exchange })
}

/**
 * A minute and a second of what is an honest sample otherwise, in two channels, which share it and do not halve it. At which
 * step it is refused is not said.
 */
export async function refuseTooLong(context: Context, library: Library): Promise<void> {
  const rate = 16_000
  const [sent, cloned] = [context.exchange(), context.exchange()]
  context.claim(tooLong, any(rejected(sent, library.works), rejected(cloned, library.works)))
  const multipart = [sampleOf('long.wav', 'audio/wav', wav(stereo(speech(61, rate)), { rate, channels: 2 }))]
  const { data } = await context.call('upload-audio', { exchange: sent, multipart, deadline_ms: 60_000 })
  const file_id = at(data, '/file_id')
  if (typeof file_id === 'string') await clone(context, { name: context.id('long'), file_id }, { exchange: cloned })
}

/** A body that ends in the middle. */
export async function refuseNonsense(context: Context, library: Library): Promise<void> {
  const exchange = context.exchange()
  context.claim('voices.clone.body-not-json-rejected', rejected(exchange, library.works))
  await context.call('clone-voice', { exchange, text: `{"name":"${context.id('refused')}","file_id":` })
}

/** The profile's name with which the provider's call fails. */
export async function failProvider(context: Context, library: Library): Promise<void> {
  const name = context.profile.triggers?.failing_voice_name
  if (name === undefined) return
  const exchange = context.exchange()
  const failed: Condition = rejected(exchange, library.works, [30007])
  context.claim('voices.code-30007.provider-failed', failed)
  context.claim('voices.code-30007.status-502', equals(status(exchange), value(502)), { given: [failed] })
  await clone(context, { name, file_id: library.file }, { exchange })
}

/**
 * With a key of another workspace a file is not found.
 *
 * @param known an exchange that shows that the key may ask for voices
 */
export async function refuseForeignFile(context: Context, library: Library, known: number): Promise<void> {
  const exchange = context.exchange()
  const twin = all(library.works, accepted(known))
  context.claim('audio-files.scope.other-workspace-excluded', rejected(exchange, twin))
  context.claim('voices.code-20005.file-of-other-workspace', rejected(exchange, twin, [20005]))
  const body = { name: context.id('refused'), file_id: library.file }
  await clone(context, body, { exchange, key: 'other_workspace' })
}
