import { speakable, textAsset, textKinds } from '#arbitraries/channel/assets'
import { textAvatar } from '#arbitraries/channel/avatars'
import { draw } from '#arbitraries/draw'
import type { Option } from '#scenario/author/steering'
import type { Walk } from '#scenario/author/walk'
import { event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { additions, type Addition } from '../assets/additions.ts'
import type { Talk } from '../talk.ts'
import { tryUpdate } from '../updates/updates.ts'
import { addOfKind, isOfKind, longText, mediaOf, severalAvatars, speakAsset } from './kinds.ts'
import { type Ground, newRegister, type Operation, optionsAt, type Register, registerPairs } from './register.ts'

const nameless = { instructions: 'I have no name.' }

/** An image needs a URL (2.3). */
const faceless = { source_images: [{ source_image_id: 'face', media_type: 'image/png' }] }

/** So many different assets and avatars; then they come again. */
const kinds = 40

/** Assets and avatars that are added, named again, refused and used in any order. The rules of the part judge them. */
export class Additions implements Walk<Register, Operation> {
  readonly name = 'assets and avatars'
  readonly pairs: readonly string[]
  readonly options: (register: Register) => readonly Option<Operation>[]
  #talk: Talk
  readonly #connect: () => Promise<Talk>
  readonly #first: string
  readonly #given: readonly string[]
  readonly #texts: readonly string[]
  readonly #assets: readonly JsonObject[]
  readonly #avatars: readonly JsonObject[]
  #next = 0

  constructor({ talk, connect, first, given }: Ground, seed: number) {
    const media = mediaOf(talk.context) !== undefined
    this.pairs = registerPairs(media)
    this.options = (register) => optionsAt(register, media)
    this.#talk = talk
    this.#connect = connect
    this.#first = first
    this.#given = given
    this.#texts = draw(speakable, seed, kinds)
    this.#assets = draw(textAsset, seed, kinds)
    this.#avatars = draw(textAvatar, seed, kinds)
  }

  begin(): Register {
    return newRegister(this.#given)
  }

  /** Everything that was registered is still there, and nothing that was refused. */
  async drain({ texts, refusedTexts, avatars }: Register): Promise<void> {
    for (const id of [...texts.slice(0, 2), ...texts.slice(-1), ...refusedTexts.slice(-2)]) await this.#speak(id)
    for (const id of [...avatars.slice(0, 1), ...avatars.slice(-1)]) await this.#select(id)
  }

  get talk(): Talk {
    return this.#talk
  }

  readonly perform = async (operation: Operation, register: Register): Promise<Register> => {
    if (this.#talk.channel.state !== 'open') return register
    if (operation === 'reconnect') return this.#use(register, () => this.#reconnect())
    if (operation === 'speak a text beside') return this.#use(register, () => this.#speakBeside(register))
    if (operation.startsWith('speak')) return this.#use(register, () => this.#speak(this.#named(operation, register)))
    if (operation.startsWith('look')) return this.#use(register, () => this.#look())
    if (operation.startsWith('select')) return this.#use(register, () => this.#select(this.#named(operation, register)))
    if (isOfKind(operation))
      return addOfKind(operation, register, { talk: this.#talk, added: (assets) => this.#assetsAdded(assets) })
    return /avatars?\b/.test(operation) ? this.#addAvatars(operation, register) : this.#addAssets(operation, register)
  }

  async #use(register: Register, use: () => Promise<void>): Promise<Register> {
    await use()
    return register
  }

  #named(operation: Operation, { texts, avatars, refusedTexts, refusedAvatars, last, again }: Register): string {
    if (operation === 'speak a text' && last === 'a repetition' && again !== undefined) return again
    if (operation === 'select the first avatar') return this.#first
    if (operation === 'speak a text') return this.#pick(texts)
    if (operation === 'select an avatar') return this.#pick(avatars)
    return this.#pick(operation === 'speak a refused text' ? refusedTexts : refusedAvatars)
  }

  async #addAssets(operation: Operation, register: Register): Promise<Register> {
    const { texts, refusedTexts } = register
    const fresh = this.#talk.context.id('text')
    const existing = this.#pick(texts)
    const kind = textKinds[1]
    const prompted = this.#talk.context.id('prompt')
    const prompt = { [kind]: [{ ...this.#asset(), asset_id: prompted }] }
    switch (operation) {
      case 'add several kinds': {
        const several = { speech_text: [this.#text(fresh), longText(this.#talk.context.id('text'))] }
        const added = await this.#assetsAdded({ ...several, [kind]: [...prompt[kind], longText(`${prompted}-long`)] })
        const prompts = added ? [...register.prompts, prompted] : register.prompts
        return this.#keepText({ ...register, prompts }, fresh, added)
      }
      case 'add an odd text':
        return this.#addOdd(register, fresh)
      case 'add a text in another case':
        return this.#addInAnotherCase(register, fresh)
      case 'add a text beside an invalid prompt': {
        const left = { ...register, refusedPrompts: [...register.refusedPrompts, prompted] }
        return this.#addWithOthers(left, fresh, [this.#text(fresh)], { [kind]: [...prompt[kind], this.#invalid()] })
      }
      case 'add a text under the id of a prompt':
        await this.#assetsAdded({ speech_text: [this.#text(this.#pick(register.prompts))] })
        return { ...register, last: 'a repetition' }
      case 'add a text again':
        await this.#assetsAdded({ speech_text: [this.#text(existing)] })
        return { ...register, last: 'a repetition', again: existing }
      case 'add beside an existing text':
        return this.#addWithOthers(register, fresh, [this.#text(existing), this.#text(fresh)])
      case 'add before an existing text':
        return this.#addBeforeNewest(register, fresh)
      case 'add beside an invalid text':
        return this.#addWithOthers(register, fresh, [this.#text(fresh), this.#invalid()])
      case 'add behind an invalid text':
        return this.#addWithOthers(register, fresh, [this.#invalid(), this.#text(fresh)])
      case 'add a refused text': {
        const id = refusedTexts.at(-1) ?? fresh
        const text = this.#text(id)
        const left = { ...register, refusedTexts: refusedTexts.filter((one) => one !== id) }
        if (await this.#assetsAdded({ speech_text: [text] })) return this.#keepText(left, id, true)
        // Whether it is the text that is refused, and not its id, another id tells.
        return this.#keepText(register, fresh, await this.#assetsAdded({ speech_text: [{ ...text, asset_id: fresh }] }))
      }
      default:
        return this.#keepText(register, fresh, await this.#assetsAdded({ speech_text: [this.#text(fresh)] }))
    }
  }

  /** What was added last, and no creation gave, says what it said before. */
  async #addBeforeNewest(register: Register, id: string): Promise<Register> {
    const newest = register.texts.at(-1) ?? ''
    const left = await this.#addWithOthers(register, id, [this.#text(id), this.#text(newest)])
    await this.#speak(newest)
    return left
  }

  /** What is no markup is spoken as it stands, with the blanks around it. */
  async #addOdd(register: Register, id: string): Promise<Register> {
    const text = ` ${this.#talk.context.id('odd')}: 1 <2> and <b>3</b> \n`
    const added = await this.#assetsAdded({ speech_text: [{ asset_id: id, text, format: 'text' }] })
    await this.#speak(id)
    return this.#keepText(register, id, added)
  }

  /** An id is one thing, and the same in capitals another. */
  async #addInAnotherCase(register: Register, id: string): Promise<Register> {
    const ids = [id, id.toUpperCase()]
    let [left, added] = [register, false]
    for (const one of ids) {
      added = await this.#assetsAdded({ speech_text: [this.#text(one)] })
      left = this.#keepText(left, one, added)
    }
    if (added) for (const one of ids) await this.#speak(one)
    return left
  }

  readonly #invalid = (): JsonObject => ({ asset_id: this.#talk.context.id('text') })

  /** What is refused for the sake of another one is not there: it is asked for at once. */
  async #addWithOthers(
    register: Register,
    id: string,
    texts: readonly JsonObject[],
    others: JsonObject = {},
  ): Promise<Register> {
    if (await this.#assetsAdded({ speech_text: [...texts], ...others })) return { ...register, last: 'a repetition' }
    await this.#speak(id)
    return this.#refuseText(register, id)
  }

  async #addAvatars(operation: Operation, register: Register): Promise<Register> {
    const { avatars, refusedAvatars } = register
    const [id, other] = [this.#talk.context.id('avatar'), this.#talk.context.id('avatar')]
    switch (operation) {
      case 'add several avatars':
        return this.#keepAvatars(
          register,
          [id, other],
          await this.#avatarsAdded(severalAvatars(this.#talk.context, this.#avatar(id), other)),
        )
      case 'add an avatar again':
        await this.#avatarsAdded([this.#avatar(this.#pick(avatars))])
        return { ...register, last: 'a repetition' }
      case 'add beside an invalid avatar':
        return this.#addAvatarWith(register, id, [this.#avatar(id), nameless])
      case 'add behind an invalid avatar':
        return this.#addAvatarWith(register, id, [nameless, this.#avatar(id)])
      case 'add an invalid avatar':
        return this.#addAvatarWith(register, id, [{ ...this.#avatar(id), visual: faceless }])
      case 'add an avatar twice':
        return this.#addAvatarWith(register, id, [this.#avatar(id), this.#avatar(id)])
      case 'add beside an existing avatar':
        return this.#addAvatarWith(register, id, [this.#avatar(id), this.#avatar(this.#pick(avatars))])
      case 'add a refused avatar': {
        const again = refusedAvatars.at(-1) ?? id
        const rest = { ...register, refusedAvatars: refusedAvatars.filter((one) => one !== again) }
        const avatar = this.#avatar(again)
        if (await this.#avatarsAdded([avatar])) return this.#keepAvatars(rest, [again], true)
        return this.#keepAvatars(register, [id], await this.#avatarsAdded([{ ...avatar, avatar_id: id }]))
      }
      default:
        return this.#keepAvatars(register, [id], await this.#avatarsAdded([this.#avatar(id)]))
    }
  }

  /** What is refused for the sake of another one, or of a part of its own, cannot be selected. */
  async #addAvatarWith(register: Register, id: string, avatars: readonly JsonObject[]): Promise<Register> {
    if (await this.#avatarsAdded(avatars)) return { ...register, last: 'a repetition' }
    await this.#select(id)
    return { ...register, refusedAvatars: [...register.refusedAvatars, id], last: 'a refusal' }
  }

  async #reconnect(): Promise<void> {
    await this.#talk.channel.close()
    this.#talk = await this.#connect()
  }

  #keepText(register: Register, id: string, added: boolean): Register {
    return added ? { ...register, texts: [...register.texts, id], last: 'an addition' } : register
  }

  #refuseText(register: Register, id: string): Register {
    return { ...register, refusedTexts: [...register.refusedTexts, id], last: 'a refusal' }
  }

  #keepAvatars(register: Register, ids: readonly string[], added: boolean): Register {
    return added ? { ...register, avatars: [...register.avatars, ...ids], last: 'an addition' } : register
  }

  /** A text that nobody else has, so that what is spoken tells which it is. */
  #text(asset_id: string): JsonObject {
    const place = this.#next % kinds
    this.#next += 1
    return { asset_id, text: `${this.#talk.context.id('said')}: ${this.#texts[place] ?? 'Hello.'}` }
  }

  #asset(): JsonObject {
    return this.#assets[this.#next % kinds] ?? { text: 'Nods.' }
  }

  #avatar(avatar_id: string): JsonObject {
    this.#next += 1
    return { ...this.#avatars[this.#next % kinds], avatar_id }
  }

  #assetsAdded(assets: JsonObject): Promise<boolean> {
    return this.#added('asset.add', { assets })
  }

  #avatarsAdded(avatars: readonly JsonObject[]): Promise<boolean> {
    return this.#added('avatar.add', { avatars: [...avatars] })
  }

  async #added(type: Addition, what: JsonObject): Promise<boolean> {
    const talk = this.#talk
    const event_id = talk.context.id('add')
    const heard = await talk.hearRefusal(
      event_id,
      talk.send({ type, event_id, ...what }),
      [event(additions[type])],
      'walk',
    )
    return heard?.type === additions[type]
  }

  #speak(id: string): Promise<void> {
    return speakAsset(this.#talk, id)
  }

  /** What one connection registered is known over another one that is open beside it. */
  async #speakBeside({ texts }: Register): Promise<void> {
    const newest = texts.at(-1) ?? ''
    await this.#speak(newest)
    const beside = await this.#connect()
    await speakAsset(beside, newest)
    await beside.channel.close()
  }

  /** An addition changes neither mode nor avatar. */
  async #look(): Promise<void> {
    await tryUpdate(this.#talk, { mode: 'text_chat' })
  }

  async #select(id: string): Promise<void> {
    await tryUpdate(this.#talk, { active_avatar_id: id })
  }

  #pick(ids: readonly string[]): string {
    return ids[this.#talk.context.random(Math.max(1, ids.length))] ?? ''
  }
}
