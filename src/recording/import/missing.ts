import { counted } from '#page/parts'

/** What an archive lacks, so that less can be judged. */
export type Lack =
  | 'elsewhere'
  | 'cached'
  | 'by-worker'
  | 'no-answer-body'
  | 'no-request-body'
  | 'no-answer'
  | 'no-authorization'
  | 'no-messages'
  | 'unreadable'

const words: { readonly [lack in Lack]: (count: number) => string } = {
  elsewhere: (count) => `${counted(count, 'request')} to elsewhere left out`,
  cached: (count) => `${counted(count, 'answer')} from the browser's cache left out`,
  'by-worker': (count) =>
    `${counted(count, 'request')} that a service worker answered left out: what it sent to the service counts`,
  'no-answer-body': (count) => `${counted(count, 'answer')} without a body; export "with content" to have them judged`,
  'no-request-body': (count) => `${counted(count, 'request')} whose body is not in the file, and so not judged`,
  'no-answer': (count) => `${counted(count, 'request')} without an answer`,
  'no-authorization': (count) =>
    `${counted(count, 'request')} without Authorization, as a sanitized export has them: taken for those of one key`,
  'no-messages': (count) =>
    `${counted(count, 'control connection')} without messages: only Chrome and its kin export them (_webSocketMessages)`,
  unreadable: (count) => `${counted(count, 'entry', 'entries')} that are no requests left out`,
}

/** Counts what is missing, and tells it in sentences. */
export class Missing {
  readonly #counts = new Map<Lack, number>()
  readonly #hosts = new Map<string, number>()

  add(lack: Lack): void {
    this.#counts.set(lack, (this.#counts.get(lack) ?? 0) + 1)
  }

  /** A request that is none of the service's. */
  elsewhere(origin: string): void {
    this.add('elsewhere')
    if (this.#hosts.has(origin) || this.#hosts.size < mostHosts)
      this.#hosts.set(origin, (this.#hosts.get(origin) ?? 0) + 1)
  }

  told(): readonly string[] {
    return [...this.#counts].map(([lack, count]) => {
      const hosts = [...this.#hosts].toSorted(([, one], [, other]) => other - one).slice(0, 5)
      const named = lack === 'elsewhere' ? ` (${hosts.map(([host, times]) => `${host} ${times}`).join(', ')})` : ''
      return words[lack](count) + named
    })
  }
}

const mostHosts = 1_000
