import { carries } from '#judge/conditions/operands'
import { show } from '#judge/show'
import { at } from '#trace/json'
import { type Addition, type Additions, type Confirmation, isListed, type Member } from '../model/additions.ts'
import { knownVisual, knownVoice, sameAsset } from './additions-alike.ts'
import { type Claimant, assetKinds, assetsOf } from '../model/assets.ts'
import { avatarsOf } from '../model/avatars.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, isOfCharacter, type Session, sessionsOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const assetRows = rows({
  'asset-add': 'confirmed confirmed-once rejected-not-confirmed existing-not-confirmed-anew',
  'asset-added': [
    'lists-every-asset lists-no-others each-once content-agrees images-array audio-array speech-text-array',
    'visual-prompts-array',
  ],
})

/** `asset.added` confirms what `asset.add` registered, and nothing else (4.4, 6.2). */
export const assets = ruleOf('assets', assetRows, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const book = assetsOf(session)
    const { confirmations, additions, given, shown, byId } = book
    for (const confirmation of confirmations) {
      if (!isDecided(confirmation.received)) continue
      judgeCount(confirmation, book, 'asset-add', say)
      judgeArrays(confirmation, say)
      judgeList(confirmation, 'asset-added.lists-every-asset', additions, given, say)
      if (session.create === undefined) continue
      judgeTwice(confirmation, given, additions, say)
      judgeOthers(confirmation, 'asset-added.lists-no-others', [...given, ...shown], additions, say)
      const known = [...byId.values()].flatMap((claimants) => claimants.map(({ member }) => member))
      for (const member of confirmation.shown) judgeAsset(confirmation, member, byId.get(member.id) ?? [], known, say)
    }
  }
})

function judgeCount(confirmation: Confirmation, book: Additions, kind: 'asset-add' | 'avatar-add', say: Say): void {
  const { received, sent, refused, count, addition } = confirmation
  if (count > sent - refused) {
    const twice = count > sent || repeats(confirmation, book.additions)
    const row = twice ? (`${kind}.confirmed-once` as const) : (`${kind}.rejected-not-confirmed` as const)
    say.broken(row, `${twice ? sent : sent - refused} confirmation(s)`, `${count}`, received)
  } else if (addition !== undefined) {
    say.held(`${kind}.confirmed`, addition.sent, received)
    say.held(`${kind}.confirmed-once`, addition.sent, received)
    if (refused > 0) say.held(`${kind}.rejected-not-confirmed`, addition.sent, received)
  }
}

/** Whether it lists what was confirmed before, and nothing of what was refused. */
function repeats({ received, shown }: Confirmation, additions: readonly Addition[]): boolean {
  const listed = (one: Addition): boolean => isListed(one, shown)
  const before = additions.filter((one) => one.sent.line < received.line)
  const again = before.some((one) => one.confirmed !== undefined && one.confirmed !== received && listed(one))
  return again && !before.some((one) => one.refused !== undefined && listed(one))
}

/** Only ids that were sent once are surely new. */
function judgeList(
  { received, addition, shown }: Confirmation,
  row: 'asset-added.lists-every-asset' | 'avatar-added.lists-every-avatar',
  additions: readonly Addition[],
  given: readonly Member[],
  say: Say,
): void {
  if (addition === undefined) return
  const before = additions.filter(({ sent }) => sent.line < received.line).flatMap(({ members }) => members)
  const isNew = ({ id }: Member): boolean => [...given, ...before].filter((one) => one.id === id).length === 1
  const wanted = addition.members.filter(isNew)
  const missing = wanted.filter(({ id, kind }) => !shown.some((one) => one.id === id && one.kind === kind))
  if (wanted.length === 0) return
  const expected = `all of ${wanted.map(({ id }) => id).join(', ')}`
  say.judge(
    row,
    missing.length === 0,
    expected,
    () => `no ${missing.map(({ id }) => id).join(', ')}`,
    addition.sent,
    received,
  )
}

function judgeOthers(
  { received, shown }: Confirmation,
  row: 'asset-added.lists-no-others' | 'avatar-added.lists-no-others',
  given: readonly Member[],
  additions: readonly Addition[],
  say: Say,
): void {
  const sent = additions.filter((one) => one.sent.line < received.line).flatMap(({ members }) => members)
  const unregistered = shown.find(({ id }) => ![...given, ...sent].some((one) => one.id === id))
  say.judge(row, unregistered === undefined, 'what was registered', () => show(unregistered?.id), received)
}

/** Of ids that were sent once: with another, a service may have taken both. */
function judgeTwice(
  { received, shown }: Confirmation,
  given: readonly Member[],
  additions: readonly Addition[],
  say: Say,
): void {
  const sent = [...given, ...additions.flatMap(({ members }) => members)].map(({ id }) => id)
  const once = shown.filter(({ id }) => sent.indexOf(id) >= 0 && sent.indexOf(id) === sent.lastIndexOf(id))
  const twice = once.find((one, place) => once.findIndex(({ id, kind }) => id === one.id && kind === one.kind) < place)
  if (once.length === 0) return
  say.judge('asset-added.each-once', twice === undefined, 'each asset once', () => `${show(twice?.id)} twice`, received)
}

const arrayRows = {
  images: 'asset-added.images-array',
  audio: 'asset-added.audio-array',
  speech_text: 'asset-added.speech-text-array',
  visual_prompts: 'asset-added.visual-prompts-array',
} as const

/** A kind that was registered has its array; one of another shape is judged as that. */
function judgeArrays({ received, addition }: Confirmation, say: Say): void {
  for (const kind of assetKinds) {
    const added = addition?.members.some((member) => member.kind === kind) === true
    const missing = at(received.event, `/assets/${kind}`) === undefined
    if (added && missing) say.broken(arrayRows[kind], 'an array', 'nothing', received)
  }
}

/** What is shown of an asset is what was sent; that of an id which was sent again is what was sent first. */
function judgeAsset(
  { received }: Confirmation,
  shown: Member,
  claimants: readonly Claimant[],
  others: readonly Member[],
  say: Say,
): void {
  const before = claimants.filter(({ addition }) => addition === undefined || addition.sent.line < received.line)
  const usable = before.filter(({ addition }) => addition?.refused === undefined)
  if (usable.length === 0) return
  const [first] = usable
  const sure =
    first !== undefined &&
    (first.addition === undefined || (first.addition.confirmed?.line ?? Infinity) < received.line)
  const allowed = sure && first !== undefined ? [first] : usable
  const agrees = (one: Claimant): boolean => sameAsset(shown, one.member, others)
  if (allowed.some(agrees)) {
    say.held('asset-added.content-agrees', received)
    if (sure && usable.length > 1) say.held('asset-add.existing-not-confirmed-anew', received)
    return
  }
  const anew = before.some(agrees)
  const row = anew && sure ? 'asset-add.existing-not-confirmed-anew' : 'asset-added.content-agrees'
  say.broken(row, show(allowed[0]?.member.value), show(shown.value), received)
}

const avatarRows = rows({
  'avatar-add': 'confirmed confirmed-once rejected-not-confirmed existing-not-confirmed-anew',
  'avatar-added':
    'lists-every-avatar lists-no-others each-once instructions-effective visual-effective voice-effective',
})

/** `avatar.added` confirms what `avatar.add` registered, with its effective definition (4.4, 6.2). */
export const avatars = ruleOf('avatars', avatarRows, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const book = avatarsOf(session)
    const { confirmations, additions, given, shown } = book
    for (const confirmation of confirmations) {
      if (!isDecided(confirmation.received)) continue
      judgeCount(confirmation, book, 'avatar-add', say)
      judgeList(confirmation, 'avatar-added.lists-every-avatar', additions, given, say)
      judgeDuplicates(confirmation, say)
      if (session.create === undefined) continue
      judgeOthers(confirmation, 'avatar-added.lists-no-others', [...given, ...shown], additions, say)
      for (const member of confirmation.shown) judgeAvatar(session, confirmation, member, say)
    }
  }
})

function judgeDuplicates({ received, shown }: Confirmation, say: Say): void {
  const ids = shown.map(({ id }) => id)
  const duplicate = ids.find((id, place) => ids.indexOf(id) !== place)
  say.judge(
    'avatar-added.each-once',
    duplicate === undefined,
    'each avatar once',
    () => `${show(duplicate)} twice`,
    received,
  )
}

function judgeAvatar(session: Session, { received }: Confirmation, member: Member, say: Say): void {
  const holders = holdersOf(session, member.id, received.line)
  const [first, ...later] = holders
  if (first === undefined) return
  if (first.sure && later.length > 0) {
    judgeExisting(
      received,
      member,
      first.member,
      later.map((one) => one.member),
      say,
    )
  }
  if (!first.sure || !first.added || later.length > 0) return
  const says = (row: (typeof avatarRows)[number], name: string): void => {
    const sent = first.member.value[name]
    const wanted = name === 'voice' ? knownVoice(sent) : sent
    if (wanted === undefined) return
    say.judge(row, carries(member.value[name], wanted), show(wanted), () => show(member.value[name]), received)
  }
  says('avatar-added.instructions-effective', 'instructions')
  judgeForeign(member, first, received, say)
  judgeVisual(member, first, received, say)
  if (!hasSessionVoice(session)) says('avatar-added.voice-effective', 'voice')
}

function judgeVisual({ value }: Member, { member }: Holder, received: Confirmation['received'], say: Say): void {
  const wanted = knownVisual(member.value['visual'] ?? null) ?? null
  if (wanted === null) return
  const good = carries(value['visual'], wanted)
  say.judge('avatar-added.visual-effective', good, show(wanted), () => show(value['visual']), received)
}

/** Without instructions an avatar may get some of the service's; it gets none of another avatar of the event. */
function judgeForeign(
  { value }: Member,
  { member, beside }: Holder,
  received: Confirmation['received'],
  say: Say,
): void {
  const shown = value['instructions']
  if (member.value['instructions'] !== undefined || typeof shown !== 'string' || shown === '') return
  const owner = beside.find((other) => other.value['instructions'] === shown)
  if (owner !== undefined) {
    say.broken(
      'avatar-added.instructions-effective',
      'no instructions of another avatar',
      `those of ${owner.id}`,
      received,
    )
  }
}

/** A definition of an avatar, given at creation or added. */
interface Holder {
  readonly member: Member
  readonly added: boolean
  /** Nothing before it can stand behind the id. */
  readonly sure: boolean
  /** Avatars of the same event. */
  readonly beside: readonly Member[]
}

function holdersOf(session: Session, id: string, line: number): readonly Holder[] {
  const { given, additions } = avatarsOf(session)
  const original = given
    .filter((member) => member.id === id)
    .map((member): Holder => ({ member, added: false, sure: true, beside: [] }))
  const added = additions
    .filter(({ sent, refused }) => sent.line < line && refused === undefined)
    .flatMap(({ members, confirmed }) =>
      members
        .filter((member) => member.id === id)
        .map((member): Holder => {
          const sure = confirmed !== undefined && confirmed.line <= line
          return { member, added: true, sure, beside: members }
        }),
    )
  return [...original, ...added]
}

/** An avatar whose id was sent again is shown as it was, or not at all. */
function judgeExisting(
  received: Confirmation['received'],
  shown: Member,
  original: Member,
  later: readonly Member[],
  say: Say,
): void {
  const row = 'avatar-add.existing-not-confirmed-anew'
  const replaced = later.some(({ value }) =>
    ['instructions', 'visual'].some((name) => {
      const [now, anew, was] = [shown.value[name], value[name], original.value[name]]
      if (now === undefined || anew === undefined || !carries(now, anew)) return false
      return was === undefined || !carries(now, was)
    }),
  )
  say.judge(row, !replaced, show(original.value), () => show(shown.value), received)
}

/** "The session TTS configuration takes precedence over every per-avatar voice"; that of a character is not seen. */
function hasSessionVoice({ create }: Session): boolean {
  if (create === undefined || isOfCharacter(create.body)) return true
  return at(create.body, '/pipeline_config/tts_config') !== undefined
}
