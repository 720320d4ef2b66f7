import { draw } from '#arbitraries/draw'
import { drawPlans } from '#arbitraries/plan'
import { voiceFaults, withFaults } from '#arbitraries/rest/faults'
import { voices } from '#arbitraries/rest/voices'
import type { FormPart } from '#client/types'
import type { Context } from '#scenario/author/context'
import { rejection } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { lookTwice, twoLooks } from '#scenario/author/look-twice'
import { unfound, unissued } from '#scenario/author/unissued'
import { volley } from '#scenario/author/volley'
import { takeWalk } from '#scenario/author/walk'
import { isObject, type JsonObject } from '#trace/json'
import { list } from '../find.ts'
import { clone, cloned, type Cloned, sampleLikeIt, upload } from '../library.ts'
import { type Move, optionsOf, pairs, propertyId, type Roster, tour } from '../model/moves.ts'

/** By the mistake in a clone: the row that it is refused, and the one that says with which code. */
const refusals = {
  'name-missing': ['voices.clone.name-required', 'voices.code-20003.name-missing'],
  'file-id-missing': ['voices.clone.file-id-required', 'voices.code-20003.file-id-missing'],
  'language-unlisted': ['voices.clone.language-unlisted-rejected', 'voices.code-20004.language-unlisted'],
  'name-too-long': ['voices.name.129-characters-rejected', 'voices.code-20004.name-too-long'],
  'file-unknown': ['voices.clone.file-unknown-rejected', 'voices.code-20005.file-unknown'],
} as const

type Fault = keyof typeof refusals
const faults = Object.keys(refusals) as readonly Fault[]
/** In each walk, of each code: mistakes of one code by turns. What has no name could not be found again: it comes last. */
const kindsOf: readonly (readonly Fault[])[] = [
  ['file-unknown'],
  ['language-unlisted', 'name-too-long'],
  ['file-id-missing'],
  ['name-missing'],
]
type Row = (typeof refusals)[Fault][number]
type Faulty = Pick<ReturnType<typeof withFaults>, 'body' | 'codes'>

/** Steps and requests of the walk. */
const [steps, budget] = [20, 17]
/** Voices that are looked at in the end. */
const mostGets = 3
/** Section 8: "`name`: at most 128 characters". */
const longestName = 128

/** Makes the moves of one walk, by one key. */
class Walker {
  readonly #c: Context<Row>
  readonly #key: 'primary' | 'other_workspace'
  readonly #bodies: Iterator<JsonObject>
  readonly #voices: Cloned[] = []
  readonly #files: string[] = []
  /** The first clone: it is the positive control of what is refused. */
  readonly #control: number
  readonly #turn: number
  #refused = 0

  constructor(c: Context<Row>, seed: number) {
    this.#c = c
    this.#key = c.has('other_workspace') ? 'other_workspace' : 'primary'
    this.#bodies = draw(voices, seed, budget).filter(isObject).values()
    this.#control = c.exchange()
    this.#turn = seed
  }

  async make(move: Move): Promise<Roster> {
    await this.#do(move)
    return { files: this.#files.length, voices: this.#voices.length }
  }

  async #do(move: Move): Promise<unknown> {
    switch (move) {
      case 'upload':
        return this.#files.push(await upload(this.#c, this.#sample(), this.#key))
      case 'clone':
        return this.#clone()
      case 'clone-refused':
        return this.#refuse()
      case 'list':
        return list(this.#c, this.#key)
      case 'get':
        return this.#get(this.#voices.at(-1))
      case 'get-beside-clone':
        return volley<unknown>(this.#c, this.#key, [
          () => this.#get(this.#voices[0]),
          () => this.#clone(),
          () => this.#get(this.#voices[0]),
          () => list(this.#c, this.#key),
        ])
    }
  }

  /** Two files are two, however alike they are. */
  #sample(): FormPart | undefined {
    return this.#files.length === 0 ? undefined : sampleLikeIt(this.#c)
  }

  /** All that was cloned is listed and found, with what it was cloned with. */
  async drain(): Promise<void> {
    const own = this.#voices.map(({ id }) => id)
    const looks = twoLooks(this.#c)
    const look = (exchange: number) => this.#c.call('list-voices', { key: this.#key, exchange })
    await lookTwice(this.#c, looks, look, ({ data }) => own.every((id) => JSON.stringify(data ?? null).includes(id)))
    for (const voice of this.#voices.slice(0, mostGets)) await this.#get(voice)
  }

  /** Of the file that was uploaded first, so that one file makes several voices. */
  #body(): JsonObject & { readonly name: string } {
    const { value: drawn } = this.#bodies.next()
    const name = `${this.#c.id('walk')} ${String(drawn?.['name'] ?? '')}`.trimEnd()
    return { ...drawn, name, file_id: this.#files[0] ?? '' }
  }

  /** The first voice has no language, and the second one the longest name and a language of three letters. */
  #telling(): JsonObject {
    const { language, ...body } = this.#body()
    switch (this.#voices.length) {
      case 0:
        return body
      case 1:
        return { ...body, name: body.name.padEnd(longestName, '.'), language: 'fil' }
      default:
        return { ...body, ...(language === undefined ? {} : { language }) }
    }
  }

  async #clone(): Promise<void> {
    const first = this.#voices.length === 0 ? { exchange: this.#control } : {}
    const voice = cloned(await clone(this.#c, this.#telling(), { key: this.#key, ...first }), this.#key)
    if (voice !== undefined) this.#voices.push(voice)
  }

  async #refuse(): Promise<void> {
    const id = this.#nextFault()
    const [rows, coded] = refusals[id]
    if (id === 'file-unknown') return this.#useUnknownFile({ rows, coded })
    const { body, codes } = this.#withFault(id)
    const expect = rejection({ rows, coded, codes, control: this.#control })
    await clone(this.#c, body, { key: this.#key, expect })
  }

  /** A code is told by the form of the id: 20005 stands only for one like those that the service gives out. */
  async #useUnknownFile(refusal: { readonly rows: Row; readonly coded: Row }): Promise<void> {
    const strange = unissued(this.#files[0] ?? '')
    const expect = unfound(refusal, strange, this.#control)
    await clone(this.#c, { ...this.#body(), file_id: strange.id }, { key: this.#key, expect })
  }

  #nextFault(): Fault {
    const count = this.#refused
    this.#refused += 1
    const kinds = kindsOf[count % kindsOf.length] ?? faults
    return kinds[(this.#turn + Math.floor(count / kindsOf.length)) % kinds.length] ?? 'file-unknown'
  }

  #withFault(id: Fault): Faulty {
    return withFaults(
      this.#body(),
      voiceFaults.filter((one) => one.id === id),
    )
  }

  async #get(voice: Cloned | undefined): Promise<void> {
    if (voice !== undefined) await this.#c.call('get-voice', { key: this.#key, params: { voice_id: voice.id } })
  }
}

/** Files and voices in any order: what is refused leaves nothing, and one file makes voices of their own. */
export const libraryProperty = scenario({
  id: propertyId,
  tier: 'full',
  needs: { abilities: ['voices', 'audio_files'] },
  claims: faults.flatMap((fault) => refusals[fault]),
  observes: [
    'audio-files.file.ids-distinct',
    'audio-files.file.urls-distinct',
    'voices.clone.accepted',
    'voices.clone.refused-makes-nothing',
    'voices.clone.voice-ids-distinct',
    'voices.list.own-included',
    'voices.list.own-unchanged',
    'voices.list.voice-once',
    'voices.get.name',
    'voices.get.language',
  ],
  price: { requests: { primary: 0, other_workspace: 31 }, typical: 21 },
  async drive(c) {
    const seed = c.random(2 ** 31)
    const walker = new Walker(c, seed)
    const [plan = []] = drawPlans(seed, 1, steps)
    const perform = (move: Move) => walker.make(move)
    const start = { files: 0, voices: 0 }
    await takeWalk(c, { name: 'voices', pairs, options: optionsOf, perform }, { tour, plan, budget }, start)
    await walker.drain()
  },
})
