import { license, type JsonObject, title, version } from './interface.ts'
import { eventOperations, messageReferences, messages } from './messages.ts'
import { openSource } from './source.ts'

const channel = '#/channels/control'

/** The avatar control channel as an AsyncAPI 3.0 document, seen from the service; the same for the same schemas. */
export function asyncapi(): JsonObject {
  const source = openSource()
  const described = messages(source)
  return {
    asyncapi: '3.0.0',
    info: {
      title,
      version,
      description:
        'The avatar control channel, seen from the service: it receives client events and sends server events. New fields and new event types may appear; those that are not known are ignored, except that a service rejects client events of unknown types.',
      license,
    },
    defaultContentType: 'application/json',
    servers: { control },
    channels: {
      control: {
        address: '/v1/realtime-avatar/control',
        title: 'Avatar control channel',
        description: 'Connect to exactly the control.url that a create returned.',
        messages: messageReferences(),
        bindings: { ws: webSocket },
      },
    },
    operations: eventOperations(channel),
    components: { securitySchemes, messages: described, schemas: source.components.schemas() },
  }
}

const control = {
  host: '{host}',
  protocol: 'wss',
  description: 'Whatever control.url of the session says.',
  variables: { host: { default: 'svc.example', description: 'The host in control.url.' } },
  security: [
    { $ref: '#/components/securitySchemes/control_secret' },
    { $ref: '#/components/securitySchemes/control_token' },
  ],
}

const securitySchemes = {
  control_secret: {
    type: 'http',
    scheme: 'bearer',
    description: 'Section 5: control.client_secret of the session, from a server-side client.',
  },
  control_token: {
    type: 'httpApiKey',
    in: 'query',
    name: 'token',
    description: 'Section 5: control.client_secret of the session, from a browser.',
  },
}

const webSocket = {
  method: 'GET',
  query: {
    type: 'object',
    required: ['session_id'],
    properties: {
      session_id: { type: 'string', description: 'Stands in control.url.' },
      token: { type: 'string', description: 'What a browser adds: control.client_secret.' },
    },
  },
  bindingVersion: '0.1.0',
}
