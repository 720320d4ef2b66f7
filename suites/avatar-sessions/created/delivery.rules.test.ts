import { expect, test } from 'vitest'
import { always, drop, having, holding, lacking, runCreates, set, type Turn } from '#testing/creates'

const details = {
  rtc_a: { sdk_app_id: '1', room_id: 'r', user_id: 'u', user_sig: 's', publisher_user_id: 'p' },
  rtc_b: { app_id: '1', channel_name: 'c', user_id: 'u', token: 't', publisher_user_id: 'p' },
} as const
type Transport = keyof typeof details

const over = (transport: Transport, change: Parameters<typeof always>[0]): Turn => holding(`"${transport}":{`, change)

test.each<[string, Turn, string[]]>([
  ['no output', always(drop('/output')), ['output.present-in-video']],
  ['an output in text', lacking('delivery', set('/output', {})), ['output.absent-in-text-chat']],
  ['a delivery in text', lacking('delivery', set('/delivery', {})), ['delivery.absent-in-text-chat']],
  ['a ratio as number', having('delivery', set('/output/aspect_ratio', 1.8)), ['output.aspect-ratio-string']],
  ['another ratio', having('delivery', set('/output/aspect_ratio', '16:9')), ['output.aspect-ratio-echoed']],
  ['another resolution', having('delivery', set('/output/resolution', '720p')), ['output.resolution-echoed']],
  ['an unknown resolution', having('delivery', set('/output/resolution', '1080p')), ['output.resolution-in-set']],
  [
    'another frame rate',
    having('delivery', set('/output/fps', 30)),
    ['limits.output-fps.default-24', 'output.fps-default'],
  ],
  ['a broken frame rate', having('delivery', set('/output/fps', 23.97)), ['output.fps-integer']],
  ['no delivery', always(drop('/delivery')), ['delivery.present-in-video']],
  [
    'an unknown transport',
    having('delivery', set('/delivery/media/transport', 'webrtc')),
    ['delivery.transport-in-set'],
  ],
  [
    'the other transport',
    over('rtc_a', { set: { '/delivery/media': { transport: 'rtc_b', rtc_b: details.rtc_b } } }),
    [
      'create.transport-default',
      'create.transport-rtc-a',
      'delivery.rtc-b-channel-session-scoped',
      'delivery.rtc-b-token-session-scoped',
    ],
  ],
  [
    'details of the other transport',
    over('rtc_a', set('/delivery/media/transport', 'rtc_b')),
    ['create.transport-default', 'create.transport-rtc-a', 'delivery.variant-matches-transport'],
  ],
  ['no details', over('rtc_b', drop('/delivery/media/rtc_b')), ['delivery.exactly-one-variant']],
  [
    'details of both transports',
    holding('voice-slow', set('/delivery/media/rtc_b', details.rtc_b)),
    ['delivery.exactly-one-variant'],
  ],
  [
    'one room for all',
    over('rtc_a', set('/delivery/media/rtc_a/room_id', 'r')),
    ['delivery.rtc-a-room-session-scoped'],
  ],
  [
    'one signature for all',
    over('rtc_a', set('/delivery/media/rtc_a/user_sig', 's')),
    ['delivery.rtc-a-signature-session-scoped'],
  ],
  [
    'one channel for all',
    over('rtc_b', set('/delivery/media/rtc_b/channel_name', 'c')),
    ['delivery.rtc-b-channel-session-scoped'],
  ],
  [
    'one token for all',
    over('rtc_b', set('/delivery/media/rtc_b/token', 't')),
    ['delivery.rtc-b-token-session-scoped'],
  ],
  [
    'the client as publisher',
    over('rtc_b', { set: { '/delivery/media/rtc_b/user_id': 'u', '/delivery/media/rtc_b/publisher_user_id': 'u' } }),
    ['delivery.publisher-other-than-client'],
  ],
])('%s: its own rows are broken', (_, turn, rows) => {
  expect([...runCreates(turn).broken].toSorted()).toEqual(rows)
})

const fields = (Object.keys(details) as Transport[]).flatMap((transport) =>
  Object.keys(details[transport]).map((field): [Transport, string] => [transport, field]),
)

test.each(fields)('%s.%s that is missing, empty or a number breaks its own row', (transport, field) => {
  const pointer = `/delivery/media/${transport}/${field}`
  const row = `delivery.${transport.replace('_', '-')}-${field.replaceAll('_', '-')}`
  for (const change of [drop(pointer), set(pointer, ''), set(pointer, 14)]) {
    expect([...runCreates(over(transport, change)).broken]).toEqual([row])
  }
})
