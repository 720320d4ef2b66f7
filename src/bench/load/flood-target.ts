import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'

// A target that costs as little as possible, in a process of its own, so that what is measured is the generator:
// node src/bench/load/flood-target.ts. It prints its port. One delta a character, without a pause; with
// DELAY_MS, each answer comes after so many milliseconds, measured from the moment when the request was read. With
// HOLD_TURN, no update of that turn is answered before GET /release; GET /held tells how many wait, and GET /taken how long
// each answer that was to be delayed took.

const delayMs = Number(process.env['DELAY_MS'] ?? 0)
const pieceLength = Number(process.env['PIECE'] ?? 1)
const holdTurn = process.env['HOLD_TURN']
const held: (() => void)[] = []
/** How long each answer took, with DELAY_MS. */
const taken: number[] = []

const server = createServer(answer)
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
let sessions = 0

sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const read = performance.now()
    const event = JSON.parse(data.toString()) as ClientEvent
    let answered = delayMs === 0
    const send = (sent: object): void => {
      socket.send(JSON.stringify(sent))
      if (!answered) taken.push(performance.now() - read)
      answered = true
    }
    const reply = (): void => (event.type === 'session.update' ? update(event, send) : respond(event, send))
    if (holdTurn !== undefined && event.event_id.endsWith(`-u${holdTurn}`)) held.push(reply)
    else afterDelay(reply)
  })
})

interface ClientEvent {
  readonly type: string
  readonly event_id: string
  readonly response: { readonly script: { readonly vocal: { readonly text: string } } }
}

function update({ event_id }: ClientEvent, send: (event: object) => void): void {
  send({ type: 'session.updated', event_id, session: { mode: 'text_chat', active_avatar_id: 'ben' } })
  send({ type: 'session.update.done', event_id: `e-${event_id}`, request_event_id: event_id, status: 'completed' })
}

function respond({ event_id, response }: ClientEvent, send: (event: object) => void): void {
  const { text } = response.script.vocal
  const place = { response_id: `resp_${event_id}`, item_id: `item_${event_id}`, output_index: 0 }
  const resource = { id: place.response_id, status: 'completed', status_details: null, output: [] }
  send({ type: 'response.created', event_id: 'e1', response: resource, request_event_id: event_id })
  for (let at = 0; at < text.length; at += pieceLength)
    send({
      event_id: `event_${at}`,
      type: 'response.output_text.delta',
      ...place,
      delta: text.slice(at, at + pieceLength),
    })
  send({ type: 'response.output_text.done', event_id: 'e2', ...place, text })
  send({ type: 'response.output_item.done', event_id: 'e3', ...place, item: { id: place.item_id, type: 'message' } })
  send({ type: 'response.done', event_id: 'e4', response: resource })
}

/** Timers of Node end up to a millisecond early or late; the last of it is waited out. */
function afterDelay(task: () => void): void {
  if (delayMs === 0) {
    task()
    return
  }
  const due = performance.now() + delayMs
  const finish = (): void => {
    while (performance.now() < due);
    task()
  }
  setTimeout(finish, Math.max(0, delayMs - 2))
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  request.on('end', () => {
    if (request.method === 'GET') {
      response.end(request.url === '/taken' ? JSON.stringify(taken) : String(held.length))
      if (request.url === '/release') for (const late of held.splice(0)) late()
      return
    }
    sessions += 1
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const id = `ses_${sessions}`
    const control = { url: `ws://127.0.0.1:${port}/v1/realtime-avatar/control?session_id=${id}`, client_secret: 'x' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ code: 0, message: 'ok', data: { session_id: id, status: 'active', control } }))
  })
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(address?.port)
})
