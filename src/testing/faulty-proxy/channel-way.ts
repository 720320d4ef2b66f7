import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { LOOPBACK_HOST } from '../listener.ts'
import type { ChannelFate, Cut, FaultPlan } from './fault-plan.ts'

/** One connection between a client and the target. */
export interface ChannelWay {
  cut(how: Cut): void
}

/** Hands an upgrade on, and all that passes behind it. */
export function join(
  socket: Socket,
  incoming: IncomingMessage,
  { head, behind, faultPlan }: { readonly head: Buffer; readonly behind: string; readonly faultPlan: FaultPlan },
): ChannelWay {
  const { rawHeaders, method, url } = incoming
  const lines = rawHeaders.flatMap((name, place) => (place % 2 === 0 ? [`${name}: ${rawHeaders[place + 1]}`] : []))
  const fate: ChannelFate = faultPlan.channel?.() ?? { is: 'fine' }
  const stall = fate.is === 'stalled' ? { from: performance.now() + fate.after_ms, ms: fate.ms } : undefined
  const target = connect(Number(behind), LOOPBACK_HOST, () => {
    target.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    target.write(head)
    handOn(target, socket, faultPlan, stall)
    handOn(socket, target, faultPlan, stall)
  })
  const way: ChannelWay = { cut: (how) => cut(socket, target, how) }
  if (fate.is === 'cut') setTimeout(() => way.cut(fate), fate.after_ms).unref()
  target.on('error', () => socket.destroy())
  return way
}

interface Stall {
  readonly from: number
  readonly ms: number
}

/** In the order in which it came, later by what the way takes. */
function handOn(from: Socket, to: Socket, faultPlan: FaultPlan, stall: Stall | undefined): void {
  if (faultPlan.delay_ms === undefined && stall === undefined) {
    from.pipe(to)
    from.once('close', () => to.destroy())
    return
  }
  let last = Promise.resolve()
  const later = (act: () => void): void => {
    const due = performance.now() + (faultPlan.delay_ms?.() ?? 0)
    const stalled = stall !== undefined && due >= stall.from && due < stall.from + stall.ms
    const free = stalled ? stall.from + stall.ms : due
    last = actAfter(last, free, act)
  }
  from.on('data', (chunk: Buffer) => {
    later(() => {
      if (to.writable) to.write(chunk)
    })
  })
  from.once('end', () => later(() => to.end()))
  from.once('close', () => later(() => to.destroy()))
}

/** Timers of several lengths need not end in the order in which they would be due. */
async function actAfter(before: Promise<void>, due: number, act: () => void): Promise<void> {
  await before
  const ms = due - performance.now()
  if (ms > 0) await new Promise((resolve) => void setTimeout(resolve, ms))
  act()
}

/** RFC 6455: 1006 stands for an end without a closing handshake. */
const dropped = 1006

function cut(socket: Socket, target: Socket, { code }: Cut): void {
  target.unpipe(socket)
  target.destroy()
  if (code === undefined) socket.end()
  else if (code === dropped) socket.resetAndDestroy()
  else socket.end(Buffer.from([0x88, 2, code >> 8, code & 0xff]))
}
