import { connect } from 'node:tls'
import type { HostileServer } from './hostile-target.ts'

/** What came back over one connection: a head and as many body bytes as were wanted. */
export interface RawAnswer {
  head: string
  body: Buffer
  /** How it ended: enough bytes had come, or the server closed. */
  ended: 'enough' | 'closed'
}

const HEAD_END = '\r\n\r\n'

function split(bytes: Buffer): { head: string; body: Buffer } {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return { head: bytes.toString('latin1'), body: Buffer.alloc(0) }
  return { head: bytes.toString('latin1', 0, end), body: bytes.subarray(end + HEAD_END.length) }
}

/** The lines of a request to `target`, as a client would send them. */
export function requestLines(target: string, ...headers: string[]): string {
  return [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n')
}

/** Sends bytes over TLS and collects the answer until `size` bytes have come or the server closes. */
export function exchange(server: HostileServer, sent: string, size: number): Promise<RawAnswer> {
  const { port, hostname } = new URL(server.base_url)
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca: server.ca_pem })
    const finish = (ended: RawAnswer['ended']): void => {
      resolve({ ...split(Buffer.concat(chunks)), ended })
      socket.destroy()
    }
    let secured = false
    socket.once('secureConnect', () => {
      secured = true
      socket.write(sent)
    })
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= size) finish('enough')
    })
    socket.once('end', () => (secured ? finish('closed') : reject(new Error('closed before TLS was up'))))
    socket.once('error', reject)
  })
}
