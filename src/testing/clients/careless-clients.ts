import { actsOf, leave } from './acts.ts'
import { busy, Client } from './client.ts'
import { diceOf } from './dice.ts'
import { Talks } from './talks.ts'

/** A service, and what one client may do there. */
export interface CarelessOptions {
  readonly base_url: string
  readonly key: string
  readonly seed: number
  readonly seconds: number
}

/**
 * Uses a service as no scenario of ours does: everything at once, valid or not, under no ids or one for all, on several
 * connections that are left in the middle. What it did and got is for others to judge.
 */
export async function useCarelessly({ base_url, key, seed, seconds }: CarelessOptions): Promise<Client> {
  const dice = diceOf(seed)
  const client = new Client(base_url, key, dice)
  const until = performance.now() + seconds * 1_000
  await busy([...actsOf(client), ...new Talks(client, until).acts()], dice, until)
  await leave(client)
  return client
}
