import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

/** What a forge keeps: comments of others, and ours. */
interface Kept {
  readonly id: number
  body: string
}

let folder = ''
let forge: Server
let comments: Kept[] = []
let asked: string[] = []

beforeEach(async () => {
  folder = newFolder()
  comments = Array.from({ length: 130 }, (_, nth) => ({ id: nth + 1, body: `remark ${nth}` }))
  asked = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request)
    const url = new URL(request.url ?? '/', 'http://forge')
    asked.push(
      `${request.method} ${url.pathname} ${request.headers.authorization ?? String(request.headers['private-token'])}`,
    )
    const body = sent === '' ? '' : (JSON.parse(sent) as { body: string }).body
    const page = Number(url.searchParams.get('page'))
    if (request.method === 'POST') comments.push({ id: comments.length + 1, body })
    if (request.method === 'PATCH' || request.method === 'PUT') {
      const one = comments.find(({ id }) => id === Number(url.pathname.split('/').at(-1)))
      if (one !== undefined) one.body = body
    }
    response.statusCode = request.headers.authorization === 'Bearer none' ? 403 : 200
    response.end(JSON.stringify(request.method === 'GET' ? comments.slice((page - 1) * 100, page * 100) : {}))
  }
  forge = createServer((request, response) => void answer(request, response))
  await new Promise<void>((up) => forge.listen(0, '127.0.0.1', up))
})

afterEach(() => {
  forge.close()
})

const address = (): string => `http://127.0.0.1:${(forge.address() as AddressInfo).port}`

function summary(said: string): string {
  const file = join(folder, 'summary.md')
  writeFileSync(file, said)
  return file
}

function gitHubJob(more: { readonly [name: string]: string } = {}, event: object = { pull_request: { number: 7 } }) {
  writeFileSync(join(folder, 'event.json'), JSON.stringify(event))
  const job = { GITHUB_ACTIONS: 'true', GITHUB_API_URL: address(), GITHUB_REPOSITORY: 'a/b', GITHUB_TOKEN: 'secret' }
  return fakeShell({ ...job, GITHUB_EVENT_PATH: join(folder, 'event.json'), ...more })
}

test('the first run comments, a later one edits that comment, wherever it stands', async () => {
  await runProgram(['comment', summary('## Conformant')], gitHubJob())
  await runProgram(['comment', summary('## Not conformant')], gitHubJob())
  expect(comments).toHaveLength(131)
  expect(comments.at(-1)?.body).toMatch(/^<!-- greenroom.*-->\n## Not conformant$/)
  expect(asked.at(-1)).toBe('PATCH /repos/a/b/issues/comments/131 Bearer secret')
})

test('on GitLab it is a note of the merge request', async () => {
  const job = { GITLAB_CI: 'true', CI_API_V4_URL: address(), CI_PROJECT_ID: '5', CI_MERGE_REQUEST_IID: '9' }
  const shell = () => fakeShell({ ...job, GREENROOM_GITLAB_TOKEN: 'secret' })
  await runProgram(['comment', summary('one')], shell())
  await runProgram(['comment', summary('two')], shell())
  expect(asked.at(-1)).toBe('PUT /projects/5/merge_requests/9/notes/131 secret')
  expect(comments.at(-1)?.body.endsWith('two')).toBe(true)
})

test('what is too long for a comment is cut at a line', async () => {
  await runProgram(['comment', summary('line\n'.repeat(20_000))], gitHubJob())
  expect(comments.at(-1)?.body.length).toBeLessThan(61_000)
  expect(comments.at(-1)?.body).toContain('line\n\n… the rest stands in the reports of the job.')
})

test.each([
  ['outside of a job', {}, {}, 'GITHUB_ACTIONS'],
  ['without a token', { GITHUB_TOKEN: '' }, undefined, 'GITHUB_TOKEN, which is not set'],
  ['where there is no pull request', {}, { push: {} }, 'about no pull request'],
] as const)('%s it is wrong usage', async (where, more, event, said) => {
  const shell = where === 'outside of a job' ? fakeShell() : gitHubJob(more, event)
  await expect(runProgram(['comment', summary('a')], shell)).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining(said),
  })
  expect(asked).toEqual([])
})

test('a forge that does not take it says so, and the token is not told', async () => {
  const refused = runProgram(['comment', summary('a')], gitHubJob({ GITHUB_TOKEN: 'none' }))
  await expect(refused).rejects.toMatchObject({
    exit: 3,
    message: 'the forge answered 403 to GET /repos/a/b/issues/7/comments; may the token comment?',
  })
})
