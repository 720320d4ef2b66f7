import type { HostileTarget } from './hostile-target.ts'
import { serveRest } from './serve.ts'

const avatars = [
  {
    avatar_id: 'host',
    instructions: 'Be kind.',
    visual: {
      source_images: [{ source_image_id: 'front', url: 'https://media.example/face.png', media_type: 'image/png' }],
      default_source_image_id: 'front',
    },
  },
]

const media = {
  transport: 'rtc_a',
  rtc_a: {
    sdk_app_id: '1400000000',
    room_id: 'room-1',
    user_id: 'viewer-1',
    user_sig: 'signature-1',
    publisher_user_id: 'avatar-1',
  },
}

function control(authority: string): object {
  return {
    url: `wss://${authority}/v1/realtime-avatar/control?session_id=session-1`,
    client_secret: 'secret-1',
  }
}

function textSession(authority: string): object {
  return {
    session_id: 'session-1',
    status: 'active',
    auto_close: { disconnected_timeout_seconds: 60, interaction_idle_timeout_seconds: 0 },
    region: '',
    session: { mode: 'text_chat', active_avatar_id: 'host' },
    control: control(authority),
    assets: { audio: [], speech_text: [], visual_prompts: [] },
    conversation: {},
    avatars,
    model: 'svc-a1-stream',
    expires_at: '2099-01-01T00:00:00Z',
  }
}

function videoSession(authority: string): object {
  return {
    ...textSession(authority),
    session: { mode: 'video_avatar', active_avatar_id: 'host', source_image_id: 'front' },
    output: { aspect_ratio: '9:16', resolution: '720p', fps: 24 },
    delivery: { media },
  }
}

function answering(session: (authority: string) => object): HostileTarget['start'] {
  return () =>
    serveRest((request, response) => {
      const data = session(request.headers.host ?? '')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 0, message: 'success', data }))
    })
}

/** One full, valid answer of Create Session, to everything. */
export const fixedCreates: HostileTarget[] = [
  {
    id: 'fixed-create-text',
    description: 'one valid text session as the answer to everything',
    start: answering(textSession),
    expect: { envelope: true, sessions: false },
  },
  {
    id: 'fixed-create-video',
    description: 'one valid video session as the answer to everything',
    start: answering(videoSession),
    expect: { envelope: true, sessions: false },
  },
]
