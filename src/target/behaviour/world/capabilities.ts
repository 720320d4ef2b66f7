/** 2.12: the "authoritative feature contract" of a session. */
export interface WorldCapabilities {
  event_content_types: string[]
  reference_content_types: string[]
  event_handling: string[]
  live_audio: { supported: boolean; interpretation?: string }
  runtime_references: boolean
  event_cancel: boolean
  continuation: { hold: boolean; resume: boolean; automatic: boolean }
  reconnect: { snapshot: boolean; event_replay: boolean }
  limits: { max_event_bytes: number; max_references: number; max_reference_images: number }
}

/** What this service can do; the validations of a create are held against the same object that is shown. */
export const worldCapabilities = (): WorldCapabilities => ({
  event_content_types: ['input_text', 'input_reference'],
  reference_content_types: ['input_text', 'input_image', 'input_audio'],
  event_handling: ['steer'],
  live_audio: { supported: true, interpretation: 'transcription' },
  runtime_references: false,
  event_cancel: false,
  continuation: { hold: true, resume: true, automatic: true },
  // "in v1 `snapshot` is true and `event_replay` is false"
  reconnect: { snapshot: true, event_replay: false },
  // The sample values of section 8.
  limits: { max_event_bytes: 65_536, max_references: 8, max_reference_images: 8 },
})
