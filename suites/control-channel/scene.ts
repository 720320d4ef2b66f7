import type { Channel } from '#client/types'
import type { AnyContext, Context, OpenOptions, OpenSession } from '#scenario/author/context'
import { watchRefusal } from '#scenario/author/watch-refusal'
import type { Condition } from '#trace/claim'
import { admitted, refused } from '#trace/conditions'
import { claim, claimAll, type Expect, forRows, type Terms } from './expectation.ts'
import type { Row } from './rows.ts'
import { Talk } from './talk.ts'

/** Opens control connections, for steps that claim these rows. */
export class Scene<R extends Row = never> {
  readonly context: Context
  readonly #claims: AnyContext
  readonly #talks: Talk<R>[] = []

  constructor(context: AnyContext) {
    this.context = context
    this.#claims = context
  }

  /** A connection whose admission nothing is said of. */
  async connect(session: OpenSession): Promise<Talk<R>> {
    return this.#talkOn(await this.context.connect(session))
  }

  /** Opens a connection that must be admitted; whoever speaks on it then proves that it was. */
  async expectAdmitted(
    session: OpenSession,
    rows: readonly R[] | Expect<R, { readonly admitted: Condition }> = [],
    options: OpenOptions = {},
  ): Promise<Talk<R>> {
    const { channel = this.context.channelNumber() } = options
    const expected =
      typeof rows === 'function' ? rows({ admitted: admitted(channel) }) : forRows(rows, admitted(channel))
    claimAll(this.#claims, expected)
    return this.#talkOn(await this.context.open(session, { ...options, channel }))
  }

  /**
   * Opens a connection that must be refused: by a status, or by an accepted socket that is closed at once.
   *
   * @param control number of a channel that was admitted without the fault
   */
  async expectRefused(
    session: OpenSession,
    rows: readonly R[],
    { control, given = [], choice = false, ...options }: OpenOptions & Terms & { readonly control: number },
  ): Promise<void> {
    const number = this.context.channelNumber()
    for (const row of rows) claim(this.#claims, row, refused(number, control), { given, choice })
    const channel = await this.context.open(session, { ...options, channel: number, expects_refusal: true })
    await watchRefusal(this.context, channel)
    await channel.close()
  }

  /** Closes what is still open, so that nothing is heard there of what others do. */
  async close(): Promise<void> {
    for (const { channel } of this.#talks) if (channel.state === 'open') await channel.close()
  }

  #talkOn(channel: Channel): Talk<R> {
    const talk = new Talk<R>(this.#claims, channel)
    this.#talks.push(talk)
    return talk
  }
}
