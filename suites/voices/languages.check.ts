import type { Exchange } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { unissued } from '#scenario/author/unissued'
import { answer, equals, oneOf } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { clone, upload } from './library.ts'
import { languages, type Language } from './names.ts'

const rowOf = (language: Language): RequirementId => `voices.clone.language-${language}-accepted`

/** A clone that fails for one reason that is no language: by it, one sees that the language was let pass. */
interface Probe {
  readonly body: JsonObject
  /** What it is answered with when nothing else is wrong. */
  readonly codes: readonly number[]
}

/** Asks for each language without making a voice, since voices cannot be deleted. */
export const languageCodes: Scenario = {
  id: 'voices.languages',
  tier: 'full',
  needs: { abilities: ['voices', 'audio_files'] },
  proves: languages.map(rowOf),
  price: { requests: { primary: languages.length + 4 } },
  async drive(context: Context) {
    const probe = await probeFor(context)
    const twin = context.exchange()
    await send(context, probe, twin)
    for (const language of languages) {
      const exchange = context.exchange()
      context.claim(rowOf(language), letPass(probe, exchange), { given: [letPass(probe, twin)] })
      await send(context, probe, exchange, { language })
    }
    await send(context, probe, context.exchange(), { language: '' })
    await clone(context, { name: '', file_id: `file_aud_${context.id('unknown')}` })
  },
}

/** The provider's call comes last of all; without a name that makes it fail, a file that is not found must do. */
async function probeFor(context: Context): Promise<Probe> {
  const name = context.profile.triggers?.failing_voice_name
  const file_id = await upload(context)
  if (name !== undefined) return { body: { name, file_id }, codes: [30007] }
  return { body: { name: context.id('refused'), file_id: unissued(file_id).id }, codes: [20005] }
}

function letPass({ codes }: Probe, exchange: number) {
  return equals(answer(exchange, '/code'), oneOf(0, ...codes))
}

async function send(context: Context, { body }: Probe, exchange: number, more: JsonObject = {}): Promise<Exchange> {
  return clone(context, { ...body, ...more }, { exchange })
}
