import type { Random } from '../random.ts'
import type { JsonObject } from '../wire.ts'

/** What a variant of 2.2 is made from. */
export interface MediaFacts {
  sessionId: string
  random: Random
}

/** 2.2 Media delivery: "Exactly one variant is returned, selected by `transport`". */
export const media = () => ({
  variants: {
    rtc_a: ({ sessionId, random }: MediaFacts): JsonObject => ({
      sdk_app_id: '1400000001',
      room_id: `room_${sessionId}`,
      user_id: `client_${random.hex(8)}`,
      user_sig: random.hex(48),
      publisher_user_id: `avatar_${random.hex(8)}`,
    }),
    rtc_b: ({ sessionId, random }: MediaFacts): JsonObject => ({
      app_id: 'b7c9d1e3',
      channel_name: `channel_${sessionId}`,
      token: random.hex(48),
      user_id: `client_${random.hex(8)}`,
      publisher_user_id: `avatar_${random.hex(8)}`,
    }),
  } as Record<string, (facts: MediaFacts) => JsonObject>,
  /** Which variant objects are given for a transport. */
  given: (transport: string): string[] => [transport],
  announced: (transport: string): string => transport,
})
