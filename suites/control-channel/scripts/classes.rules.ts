import { isRecording } from '#judge/recordings'
import { isNoAccident } from '#judge/chance/chance'
import { isUndisturbed } from '../model/disturbance.ts'
import { isInterrupting } from '../model/interruption.ts'
import { responsesOf, spokenText } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, isDecided, objectAt, sessionsOf, textAt } from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { isAsker } from '../model/watch.ts'
import { rows } from '../rows.ts'
import { hasWaited } from './scripts.rules.ts'

const proves = rows({ 'script-speech': 'completes', 'script-audio-asset': 'completes' })

type Own = (typeof proves)[number]

/** A scripted response that nothing disturbed, and how it ended. */
interface Ended {
  readonly response: Response
  readonly done: ReceivedEvent
  readonly status: string | undefined
}

/** So often at least something fails, and nothing else comes of it, before it is held against the target. */
const least = 3

/**
 * A scripted response may fail once (2.10). What fails each time in one way of asking, while others complete before and
 * after it, is no accident: it is told by itself, since it would be lost among all that completes.
 */
export const scriptClasses = ruleOf('script-classes', proves, (trace, say) => {
  // Two workspaces may lie on two deployments.
  for (const sessions of Map.groupBy(sessionsOf(trace), ({ create }) => create?.key).values()) {
    judgeWorkspace(sessions.flatMap(responsesOf).flatMap(read), isRecording(trace), say)
  }
})

function judgeWorkspace(ended: readonly Ended[], recorded: boolean, say: Say<Own>): void {
  const speeches = ended.filter(isWholeSpeech)
  judgeClass(speeches, 'speech_asset', ({ response }) => vocalOf(response) === 'speech_asset', say)
  judgeClass(speeches, 'speech that waited', ({ response }) => hasWaited(response), say)
  judgeClass(speeches, 'speech that interrupted', ({ response }) => isInterrupting(response), say)
  judgeClass(speeches, 'speech that is out of band', ({ response }) => isOutOfBand(response), say)
  // What others registered need not be audio.
  if (recorded) return
  // Some audio that cannot be played is sent on purpose.
  const other = ended.filter(({ response }) => vocalOf(response)?.startsWith('audio') !== true)
  const sounds = ended.filter(({ response }) => vocalOf(response)?.startsWith('audio') === true)
  judgeClass(sounds, 'audio_asset', ({ response }) => vocalOf(response) === 'audio_asset', say, other)
}

function read(response: Response): readonly Ended[] {
  const [done] = response.done
  if (done === undefined || response.guessed || !isAsker(response) || !isDecided(done)) return []
  if (response.origin.request === undefined || !isUndisturbed(response)) return []
  return [{ response, done, status: textAt(objectAt(done.event, 'response'), 'status') }]
}

/** In video a speech whose voice cannot be had may fail when its text has come. */
function isWholeSpeech({ response, done }: Ended): boolean {
  const { request } = response.origin
  if (request?.kind !== 'speech' && request?.kind !== 'speech_asset') return false
  const spoken = spokenText(response)
  if (spoken === '' || request.texts?.includes(spoken) !== true) return false
  return !timelineOf(done.connection.session).modes(request.sent.line, done.line).has('video_avatar')
}

function vocalOf({ origin }: Response): string | undefined {
  const script = objectAt(objectAt(origin.request?.sent.event ?? {}, 'response'), 'script')
  return textAt(objectAt(script, 'vocal'), 'type')
}

const isOutOfBand = ({ origin }: Response): boolean => origin.request?.conversation === 'none'

/**
 * @param all of its kind, which those of the class are held against
 * @param calm what shows how often a script fails by accident
 */
function judgeClass(
  all: readonly Ended[],
  name: string,
  isOne: (ended: Ended) => boolean,
  say: Say<Own>,
  calm: readonly Ended[] = all.filter((one) => !isOne(one)),
): void {
  const row = name === 'audio_asset' ? 'script-audio-asset.completes' : 'script-speech.completes'
  const [own, others] = [all.filter(isOne), all.filter((one) => !isOne(one))]
  // Of what is asked for otherwise its own rule tells that it completed.
  if (row === 'script-audio-asset.completes') praise(own, say)
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined || own.some(({ status }) => status !== 'failed')) return
  const well = others.filter(({ status }) => status === 'completed')
  const meanwhile = calm.filter(({ status, done }) => status === 'completed' && done.line < last.done.line)
  const rate = calm.filter(({ status }) => status === 'failed').length / Math.max(1, calm.length)
  if (own.length < least || well.length === 0 || meanwhile.length < least || !isNoAccident(own.length, rate)) return
  const got = `failed each of ${own.length} times, while others completed`
  say.broken(
    row,
    `a ${name} that is completed`,
    got,
    ...own.slice(0, 4).map(({ done }) => done),
    ...well.slice(0, 1).map(({ done }) => done),
  )
}

function praise(own: readonly Ended[], say: Say<Own>): void {
  const completed = own.find(({ status }) => status === 'completed')
  if (completed !== undefined) say.held('script-audio-asset.completes', completed.done)
  else say.open('script-audio-asset.completes', 'no response that surely answers one is seen to complete')
}
