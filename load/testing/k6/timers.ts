import { theK6 } from '../fake-k6.ts'

type Timer = () => void

const timers = new Map<number, Timer>()
let last = 0

export function setTimeout(task: () => void, ms = 0): number {
  last += 1
  const id = last
  timers.set(
    id,
    theK6().later(ms, () => {
      timers.delete(id)
      task()
    }),
  )
  return id
}

export function clearTimeout(id: number): void {
  timers.get(id)?.()
  timers.delete(id)
}
