import type { Context } from '#scenario/author/context'
import { outcome } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { unissued } from '#scenario/author/unissued'
import { billingCodes, loadCodes } from '#spec/code-groups'
import { answer, different, equals, oneOf } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { clone, upload } from './library.ts'
import { languages } from './names.ts'

/** A clone that fails for one reason that is no language: by it, one sees that the language was let pass. */
interface Probe {
  readonly body: JsonObject
  /** What it is answered with when nothing else is wrong. */
  readonly codes: readonly number[]
}

/** Asks for each language without making a voice, since voices cannot be deleted. */
export const languageCodes = scenario({
  id: 'voices.languages',
  tier: 'full',
  needs: { abilities: ['voices', 'audio_files'] },
  claims: languages.map((language) => `voices.clone.language-${language}-accepted` as const),
  price: { requests: { primary: languages.length + 4 } },
  async drive(c) {
    const { body, codes } = await probeFor(c)
    const letPass = (exchange: number) => equals(answer(exchange, '/code'), oneOf(0, ...codes))
    const plain = await clone(c, body)
    // What the workspace has paid for may be used up, and the key may be limited: neither speaks of a language.
    const isOfThis = (exchange: number) => different(answer(exchange, '/code'), oneOf(...billingCodes, ...loadCodes))
    const termsOf = (exchange: number) => ({ given: [letPass(plain.exchange), isOfThis(exchange)] })
    for (const language of languages) {
      const row = `voices.clone.language-${language}-accepted` as const
      const expect = outcome(row, letPass, termsOf)
      await clone(c, { ...body, language }, { expect })
    }
    await clone(c, { ...body, language: '' })
    await clone(c, { name: '', file_id: `file_aud_${c.id('unknown')}` })
  },
})

/** The provider's call comes last of all; without a name that makes it fail, a file that is not found must do. */
async function probeFor(context: Context): Promise<Probe> {
  const name = context.profile.triggers?.failing_voice_name
  const file_id = await upload(context)
  if (name !== undefined) return { body: { name, file_id }, codes: [30007] }
  return { body: { name: context.id('refused'), file_id: unissued(file_id).id }, codes: [20005] }
}
