/** Section 8: the numbers. Values that the spec does not show are the service's own. */
export const limits = () => ({
  // "Explicit value must exceed 3 (minimum 4)"; default and maximum are not shown.
  maxDurationMinimum: 4,
  maxDurationMaximum: 7200,
  maxDurationDefault: 3600,
  // "0 (off) or 10 to 3600; omission uses the platform setting."
  disconnectedMinimum: 10,
  disconnectedMaximum: 3600,
  disconnectedPlatform: 300,
  // "0 or omitted (off) or 30 to 3600."
  idleMinimum: 30,
  idleMaximum: 3600,
  speedMinimum: 0.7,
  speedMaximum: 1.2,
  temperatureMinimum: 0,
  temperatureMaximum: 2,
  eventIdLength: 512,
  // "script.visual.duration_ms: default 5000 per segment."
  segmentMs: 5000,
  fps: 24,
  // "10MB maximum; clone sample 60 seconds maximum."
  audioBytes: 10 * 1024 * 1024,
  sampleSeconds: 60,
  // "Voice `name`: At most 128 characters."
  voiceNameCharacters: 128,
})

export type Limits = ReturnType<typeof limits>
