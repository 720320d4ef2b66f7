import type { RestAnswer } from '../../core/envelope.ts'
import type { Key } from '../../core/keys.ts'
import type { ChannelMachine, Machine } from '../machine.ts'

/** What is needed of a machine where requests matter, and channels are tried now and then; scenarios count and time different things on it. */
export type RestMachine = ChannelMachine &
  Pick<Machine, 'name' | 'run' | 'key' | 'keys' | 'wait' | 'random' | 'request'>

/** The same machine, spending from another of its keys, and telling of every request. */
export function onKey(
  machine: RestMachine,
  key: Key,
  heard: (key: string, answer: RestAnswer, operation: string) => void = () => undefined,
): RestMachine {
  const { name, run, workload, keys, tally } = machine
  return {
    name,
    run,
    workload,
    key,
    keys,
    tally,
    now: () => machine.now(),
    later: (ms, task) => machine.later(ms, task),
    wait: (ms) => machine.wait(ms),
    random: () => machine.random(),
    connect: (session, listener) => machine.connect(session, listener),
    request: async (request) => {
      const spends = request.key ?? key.name
      const answer = await machine.request({ ...request, key: spends })
      heard(spends, answer, request.operation)
      return answer
    },
  }
}
