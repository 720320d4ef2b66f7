import { messageOf } from '#trace/message-of'
import { isObject, type Json } from '#trace/json'
import type { Shell } from '../shell.ts'
import { readNamedText } from '../named-files.ts'
import { Stop } from '../stop.ts'
import { type Forge, forgeOf } from './forge.ts'

/** By this the comment is found again; nobody sees it. */
const mark = '<!-- greenroom: this comment is edited by each run -->'

/** GitHub takes 65,536 characters, GitLab more. */
const longest = 60_000

/**
 * Puts a file under the pull or merge request: into the comment of an earlier run where there is one.
 *
 * @throws Stop (2) outside of such a job, (3) where the forge does not take it
 */
export async function comment(file: string, shell: Shell): Promise<number> {
  const forge = forgeOf(shell)
  const body = `${mark}\n${shortened(readNamedText(file))}`
  const known = await earlierComment(forge)
  if (known === undefined) await ask(forge, 'POST', forge.comments, { body })
  else await ask(forge, forge.edit, forge.comment(known), { body })
  shell.out(known === undefined ? 'commented\n' : 'edited the comment of an earlier run\n')
  return 0
}

function shortened(text: string): string {
  if (text.length <= longest) return text
  const end = text.lastIndexOf('\n', longest)
  return `${text.slice(0, end === -1 ? longest : end)}\n\n… the rest stands in the reports of the job.\n`
}

/** Pages of a hundred that are looked through. */
const mostPages = 20

async function earlierComment(forge: Forge): Promise<number | undefined> {
  for (let page = 1; page <= mostPages; page += 1) {
    const found = await ask(forge, 'GET', `${forge.comments}?per_page=100&page=${page}`)
    const comments = Array.isArray(found) ? found.filter(isObject) : []
    const own = comments.find(({ body }) => typeof body === 'string' && body.startsWith(mark))
    if (typeof own?.['id'] === 'number') return own['id']
    if (comments.length < 100) return undefined
  }
  return undefined
}

async function ask(forge: Forge, method: string, url: string, body?: Json): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { ...forge.headers, 'content-type': 'application/json', 'user-agent': 'greenroom' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new Stop(3, `the forge cannot be reached: ${messageOf(error)}`)
  })
  if (answer.ok) return answer.json()
  throw new Stop(3, `the forge answered ${answer.status} to ${method} ${new URL(url).pathname}; may the token comment?`)
}
