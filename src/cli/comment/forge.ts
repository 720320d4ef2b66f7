import { readFileSync } from 'node:fs'
import { at, type Json } from '#trace/json'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'

/** Where a comment goes, and how the forge wants it. */
export interface Forge {
  /** Lists the comments, the first page of a hundred, and takes a new one. */
  readonly comments: string
  /** Of one comment. */
  readonly comment: (id: number) => string
  readonly headers: { readonly [name: string]: string }
  readonly edit: 'PATCH' | 'PUT'
}

/** The pull or merge request that this job is about. @throws Stop (2) where it is about none, or a token is missing */
export function forgeOf({ env }: Shell): Forge {
  if (env['GITHUB_ACTIONS'] === 'true') return gitHub(env)
  if (env['GITLAB_CI'] === 'true') return gitLab(env)
  throw usage('comment works in a job of GitHub or GitLab only; neither GITHUB_ACTIONS nor GITLAB_CI is set')
}

function gitHub(env: Shell['env']): Forge {
  const repository = needed(env, 'GITHUB_REPOSITORY')
  const number = numberIn(needed(env, 'GITHUB_EVENT_PATH'))
  const issues = `${needed(env, 'GITHUB_API_URL')}/repos/${repository}/issues`
  return {
    comments: `${issues}/${number}/comments`,
    comment: (id) => `${issues}/comments/${id}`,
    headers: { authorization: `Bearer ${needed(env, 'GITHUB_TOKEN')}`, accept: 'application/vnd.github+json' },
    edit: 'PATCH',
  }
}

function numberIn(file: string): number {
  const event = JSON.parse(readFileSync(file, 'utf8')) as Json
  const number = at(event, '/pull_request/number')
  if (typeof number === 'number') return number
  throw usage('this job is about no pull request, so there is nothing to comment on')
}

function gitLab(env: Shell['env']): Forge {
  const project = `${needed(env, 'CI_API_V4_URL')}/projects/${needed(env, 'CI_PROJECT_ID')}`
  const notes = `${project}/merge_requests/${needed(env, 'CI_MERGE_REQUEST_IID')}/notes`
  return {
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    headers: { 'private-token': needed(env, 'GREENROOM_GITLAB_TOKEN') },
    edit: 'PUT',
  }
}

function needed(env: Shell['env'], name: string): string {
  const value = env[name]
  if (value !== undefined && value !== '') return value
  throw usage(`comment needs the variable ${name}, which is not set`)
}
