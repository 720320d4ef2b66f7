import { carries } from '#judge/operands'
import { show } from '#judge/show'
import { at, isObject } from '#trace/json'
import { type Addition, type Additions, type Confirmation, lists, type Member } from '../model/additions.ts'
import { rehosted, sameAsset } from './additions-alike.ts'
import { type Claimant, assetKinds, assetsOf } from '../model/assets.ts'
import { avatarsOf } from '../model/avatars.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, objectsAt, type Session, sessionsOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const assetRows = rows({
  'asset-add': 'confirmed confirmed-once rejected-not-confirmed existing-not-confirmed-anew',
  'asset-added': [
    'lists-every-asset lists-no-others content-agrees images-array audio-array speech-text-array',
    'visual-prompts-array',
  ],
})

/** `asset.added` confirms what `asset.add` registered, and nothing else (4.4, 6.2). */
export const assets = ruleOf('assets', assetRows, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const book = assetsOf(session)
    const { confirmations, additions, given, byId } = book
    for (const confirmation of confirmations) {
      if (!isDecided(confirmation.came)) continue
      judgeCount(confirmation, book, 'asset-add', say)
      judgeArrays(confirmation, say)
      judgeList(confirmation, 'asset-added.lists-every-asset', additions, given, say)
      if (session.birth === undefined) continue
      judgeOthers(confirmation, 'asset-added.lists-no-others', given, additions, say)
      const known = [...byId.values()].flatMap((claimants) => claimants.map(({ member }) => member))
      for (const member of confirmation.shown) judgeAsset(confirmation, member, byId.get(member.id) ?? [], known, say)
    }
  }
})

function judgeCount(confirmation: Confirmation, book: Additions, kind: 'asset-add' | 'avatar-add', say: Say): void {
  const { came, sent, refused, count, addition } = confirmation
  if (count > sent - refused) {
    const twice = count > sent || repeats(confirmation, book.additions)
    const row = twice ? (`${kind}.confirmed-once` as const) : (`${kind}.rejected-not-confirmed` as const)
    say.broken(row, `${twice ? sent : sent - refused} confirmation(s)`, `${count}`, came)
  } else if (addition !== undefined) {
    say.held(`${kind}.confirmed`, addition.sent, came)
    say.held(`${kind}.confirmed-once`, addition.sent, came)
    if (refused > 0) say.held(`${kind}.rejected-not-confirmed`, addition.sent, came)
  }
}

/** Whether it lists what was confirmed before, and nothing of what was refused. */
function repeats({ came, shown }: Confirmation, additions: readonly Addition[]): boolean {
  const listed = ({ members }: Addition): boolean =>
    members.length > 0 && members.every(({ id, kind }) => lists(shown, id, kind))
  const before = additions.filter((one) => one.sent.line < came.line)
  const again = before.some((one) => one.confirmed !== undefined && one.confirmed !== came && listed(one))
  return again && !before.some((one) => one.refused !== undefined && listed(one))
}

/** Only ids that were sent once are surely new. */
function judgeList(
  { came, addition, shown }: Confirmation,
  row: 'asset-added.lists-every-asset' | 'avatar-added.lists-every-avatar',
  additions: readonly Addition[],
  given: readonly Member[],
  say: Say,
): void {
  if (addition === undefined) return
  const before = additions.filter(({ sent }) => sent.line < came.line).flatMap(({ members }) => members)
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
    came,
  )
}

function judgeOthers(
  { came, shown }: Confirmation,
  row: 'asset-added.lists-no-others' | 'avatar-added.lists-no-others',
  given: readonly Member[],
  additions: readonly Addition[],
  say: Say,
): void {
  const sent = additions.filter((one) => one.sent.line < came.line).flatMap(({ members }) => members)
  const stranger = shown.find(({ id }) => ![...given, ...sent].some((one) => one.id === id))
  say.judge(row, stranger === undefined, 'what was registered', () => show(stranger?.id), came)
}

const arrayRows = {
  images: 'asset-added.images-array',
  audio: 'asset-added.audio-array',
  speech_text: 'asset-added.speech-text-array',
  visual_prompts: 'asset-added.visual-prompts-array',
} as const

/** A kind that was registered has its array; one of another shape is judged as that. */
function judgeArrays({ came, addition }: Confirmation, say: Say): void {
  for (const kind of assetKinds) {
    const added = addition?.members.some((member) => member.kind === kind) === true
    const missing = at(came.event, `/assets/${kind}`) === undefined
    if (added && missing) say.broken(arrayRows[kind], 'an array', 'nothing', came)
  }
}

/** What is shown of an asset is what was sent; that of an id which was sent again is what was sent first. */
function judgeAsset(
  { came }: Confirmation,
  shown: Member,
  claimants: readonly Claimant[],
  others: readonly Member[],
  say: Say,
): void {
  const before = claimants.filter(({ addition }) => addition === undefined || addition.sent.line < came.line)
  const usable = before.filter(({ addition }) => addition?.refused === undefined)
  if (usable.length === 0) return
  const [first] = usable
  const sure =
    first !== undefined && (first.addition === undefined || (first.addition.confirmed?.line ?? Infinity) < came.line)
  const allowed = sure && first !== undefined ? [first] : usable
  const agrees = (one: Claimant): boolean => sameAsset(shown, one.member, others)
  if (allowed.some(agrees)) {
    say.held('asset-added.content-agrees', came)
    if (sure && usable.length > 1) say.held('asset-add.existing-not-confirmed-anew', came)
    return
  }
  const anew = before.some(agrees)
  const row = anew && sure ? 'asset-add.existing-not-confirmed-anew' : 'asset-added.content-agrees'
  say.broken(row, show(allowed[0]?.member.value), show(shown.value), came)
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
      if (!isDecided(confirmation.came)) continue
      judgeCount(confirmation, book, 'avatar-add', say)
      judgeList(confirmation, 'avatar-added.lists-every-avatar', additions, given, say)
      judgeTwins(confirmation, say)
      if (session.birth === undefined) continue
      judgeOthers(confirmation, 'avatar-added.lists-no-others', [...given, ...shown], additions, say)
      for (const member of confirmation.shown) judgeAvatar(session, confirmation, member, say)
    }
  }
})

function judgeTwins({ came, shown }: Confirmation, say: Say): void {
  const ids = shown.map(({ id }) => id)
  const twin = ids.find((id, place) => ids.indexOf(id) !== place)
  say.judge('avatar-added.each-once', twin === undefined, 'each avatar once', () => `${show(twin)} twice`, came)
}

function judgeAvatar(session: Session, { came }: Confirmation, member: Member, say: Say): void {
  const holders = holdersOf(session, member.id, came.line)
  const [first, ...later] = holders
  if (first === undefined) return
  if (first.sure && later.length > 0) {
    judgeExisting(
      came,
      member,
      first.member,
      later.map((one) => one.member),
      say,
    )
  }
  if (!first.sure || !first.added || later.length > 0) return
  const says = (row: (typeof avatarRows)[number], name: string): void => {
    const wanted = first.member.value[name]
    if (wanted === undefined) return
    say.judge(row, carries(member.value[name], wanted), show(wanted), () => show(member.value[name]), came)
  }
  says('avatar-added.instructions-effective', 'instructions')
  judgeForeign(member, first, came, say)
  judgeVisual(member, first, came, say)
  if (!hasSessionVoice(session)) says('avatar-added.voice-effective', 'voice')
}

/** Images may be kept elsewhere, and in another format. */
function judgeVisual({ value }: Member, { member }: Holder, came: Confirmation['came'], say: Say): void {
  const wanted = member.value['visual']
  if (wanted === undefined) return
  const kept = isObject(wanted)
    ? { ...wanted, source_images: objectsAt(wanted, 'source_images').map(rehosted) }
    : wanted
  const good = carries(value['visual'], kept)
  say.judge('avatar-added.visual-effective', good, show(wanted), () => show(value['visual']), came)
}

/** Without instructions an avatar may get some of the service's; it gets none of another avatar of the event. */
function judgeForeign({ value }: Member, { member, beside }: Holder, came: Confirmation['came'], say: Say): void {
  const shown = value['instructions']
  if (member.value['instructions'] !== undefined || typeof shown !== 'string' || shown === '') return
  const owner = beside.find((other) => other.value['instructions'] === shown)
  if (owner !== undefined) {
    say.broken('avatar-added.instructions-effective', 'no instructions of another avatar', `those of ${owner.id}`, came)
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
  came: Confirmation['came'],
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
  say.judge(row, !replaced, show(original.value), () => show(shown.value), came)
}

/** "The session TTS configuration takes precedence over every per-avatar voice"; that of a character is not seen. */
function hasSessionVoice({ birth }: Session): boolean {
  if (birth === undefined || typeof birth.body['character_id'] === 'string') return true
  return at(birth.body, '/pipeline_config/tts_config') !== undefined
}
