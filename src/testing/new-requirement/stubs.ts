import { isObject, type JsonObject } from '#trace/json'

/** What is wanted, as somebody said it on the command line. */
export interface Wish {
  /** `<part>.<subject>.<claim>` */
  readonly id: string
  /** A heading number of the interface, or `Conventions`. */
  readonly section: string
  /** Words of the sentence in `suites/sentences.json` that the row stands for. */
  readonly says: string
  readonly level: 'must' | 'should' | 'may'
  /** What observes it: a rule, which sees every trace, or a step of a scenario, which provokes it. */
  readonly judge: 'rule' | 'step'
  /** The folder of `suites/` that the rule or step goes into. */
  readonly folder: string
  /** A payload in `fixtures/payloads/`, such as `rest/get-voice.response`, that gets an instance which breaks the row. */
  readonly exhibit?: string
}

export class WrongWish extends Error {}

/** A file as it is to be. */
export interface Stub {
  readonly path: string
  readonly text: string
}

/** Reads a file by its path from the root of the checkout; undefined where there is none. */
export type Read = (path: string) => string | undefined

export function parsed(read: Read, path: string): JsonObject {
  const value: unknown = JSON.parse(read(path) ?? 'null')
  if (!isObject(value)) throw new WrongWish(`${path} is no JSON object; run this from a checkout of Greenroom`)
  return value
}

/** `voices.get.created-at` → `voices`, `get`, `created-at`. */
export function wordsOf(id: string): { part: string; subject: string; claim: string } {
  const [part = '', subject = '', ...claim] = id.split('.')
  return { part, subject, claim: claim.join('.') }
}

/** `created-at` → `createdAt` */
export function nameOf(words: string): string {
  return words.replaceAll(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The text with a piece put in before the last place where something stands. */
export function before(text: string, last: string, piece: string): string {
  const place = text.lastIndexOf(last)
  return place < 0 ? text + piece : text.slice(0, place) + piece + text.slice(place)
}
