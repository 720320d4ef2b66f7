import type { FormPart } from '#client/types'
import { medium } from '#media/media'
import { scenario } from '#scenario/author/scenario'
import { fileOf, uploadKey } from './forms.ts'

const bytes = (): Uint8Array => medium('speech.wav')

/** Forms of which the interface does not say whether they are taken. */
const forms: readonly (() => readonly FormPart[])[] = [
  () => [fileOf('image-named.wav', 'audio/wav')],
  () => [{ name: 'file', filename: 'speech.wav', data: bytes() }],
  () => [{ name: 'file', filename: 'speech.wav', content_type: 'application/octet-stream', data: bytes() }],
  () => [fileOf('silence.ogg', 'audio/ogg; codecs=opus')],
  () => [fileOf('speech.wav', 'audio/wav'), { name: 'title', data: 'A voice' }],
  () => [{ name: 'file', data: 'A voice' }],
]

/** Looks at choices of the service. */
export const oddForms = scenario({
  id: 'audio-files.odd-forms',
  tier: 'full',
  needs: { abilities: ['audio_files'] },
  price: { requests: { primary: forms.length, other_workspace: forms.length }, typical: forms.length },
  async drive(c) {
    for (const form of forms) await c.call('upload-audio', { key: uploadKey(c), multipart: form() })
  },
})
