import type { RestAnswer } from '../../core/envelope.ts'
import type { Key } from '../../core/keys.ts'
import type { Machine } from '../machine.ts'

/** What is needed of a machine; scenarios count and time different things on it. */
export type RestMachine = Pick<Machine, 'name' | 'run' | 'key' | 'keys' | 'now' | 'wait' | 'random' | 'request'> & {
  /** Where its channels may be used as well. */
  readonly connect?: Machine['connect']
  readonly tally: { count(name: 'retries', key: string): void }
}

/** The same machine, spending from another of its keys, and telling of every request. */
export function onKey(
  machine: RestMachine,
  key: Key,
  heard: (key: string, answer: RestAnswer, operation: string) => void = () => undefined,
): RestMachine {
  const { name, run, keys, tally } = machine
  return {
    ...(machine.connect === undefined ? {} : { connect: (...asked) => machine.connect?.(...asked) }),
    name,
    run,
    key,
    keys,
    tally,
    now: () => machine.now(),
    wait: (ms) => machine.wait(ms),
    random: () => machine.random(),
    request: async (request) => {
      const spends = request.key ?? key.name
      const answer = await machine.request({ ...request, key: spends })
      heard(spends, answer, request.operation)
      return answer
    },
  }
}
