import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Json } from '#trace/json'
import { loadProfile } from './load-profile.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

const secret = 'sk-canary-2f6b1c'
const environment = { GR_KEY: secret, GREENROOM_API_KEY: secret }
const whole = { base_url: 'https://staging.example', keys: { primary: 'GR_KEY' } }

function written(profile: Json | string): string {
  const file = join(folder, `${crypto.randomUUID()}.json`)
  writeFileSync(file, typeof profile === 'string' ? profile : JSON.stringify(profile))
  return file
}

/** What loading complains about; checked never to hold the key. */
function complaint(target: string, env: { readonly [name: string]: string } = environment): string {
  let message = 'no complaint'
  try {
    loadProfile(target, env)
  } catch (error) {
    expect(error).toMatchObject({ name: 'Stop', exit: 2 })
    message = error instanceof Error ? error.message : ''
  }
  expect(message).not.toContain(secret)
  expect(message).not.toContain('\n')
  return message
}

test('a whole profile loads, and its ca_file is looked for beside it', () => {
  const missing = complaint(written({ ...whole, ca_file: 'no-such-ca.pem' }))
  expect(missing).toBe(`ca_file ${join(folder, 'no-such-ca.pem')} cannot be read: there is no such file or folder`)
  expect(loadProfile(written(whole), environment).profile).toEqual(whole)
})

test('a voice sample is looked for beside the profile, and must be there', () => {
  const missing = complaint(written({ ...whole, media: { voice_sample: 'no-such.wav' } }))
  const path = join(folder, 'no-such.wav')
  expect(missing).toBe(`media.voice_sample ${path} cannot be read: there is no such file or folder`)
  expect(complaint(written({ ...whole, media: { voice_sample: '.' } }))).toContain('it is a folder')
})

test('a URL and GREENROOM_API_KEY are enough', () => {
  expect(loadProfile('https://staging.example', environment)).toEqual({
    profile: { base_url: 'https://staging.example', keys: { primary: 'GREENROOM_API_KEY' } },
    unset: [],
  })
})

test('a line end behind an address, as a pipeline may add it, is told', () => {
  for (const target of ['https://staging.example\n', ' https://u:p@staging.example'])
    expect(complaint(target, environment)).toBe(
      'the address in --target or GREENROOM_TARGET begins or ends with a space or a line end; leave that out',
    )
})

test('http is for this machine only, and only by consent', () => {
  expect(loadProfile('http://127.0.0.1:8080', environment).profile.allow_insecure_loopback).toBe(true)
  expect(loadProfile('HTTP://127.0.0.1:8080', environment).profile).toMatchObject({
    base_url: 'http://127.0.0.1:8080',
    allow_insecure_loopback: true,
  })
  expect(complaint('http://staging.example')).toContain('is not https')
  expect(complaint(written({ ...whole, base_url: 'http://localhost:1' }))).toContain('allow_insecure_loopback')
  const allowed = { ...whole, base_url: 'http://localhost:1', allow_insecure_loopback: true }
  expect(loadProfile(written(allowed), environment).profile).toEqual(allowed)
})

const wrong: readonly (readonly [string, Json | string, RegExp])[] = [
  ['an unknown field', { ...whole, limit: {} }, /the profile has an unknown field "limit"; did you mean "limits"\?$/],
  [
    'an unknown field inside',
    { ...whole, abilities: { vidoe: true } },
    /abilities has an unknown field "vidoe"; did you mean "video"\?$/,
  ],
  ['no base_url', { keys: { primary: 'GR_KEY' } }, /base_url/],
  ['no primary key', { base_url: 'https://x.example', keys: {} }, /primary/],
  [
    'a key in the place of its name',
    { ...whole, keys: { primary: secret } },
    /keys\.primary must be the name of an environment variable/,
  ],
  [
    'a header value in the place of its name',
    { ...whole, headers: { 'X-Gate': secret } },
    /headers\.X-Gate must be the name/,
  ],
  [
    'a value of another type',
    { ...whole, abilities: { video: 'no' } },
    /abilities\.video: expected boolean, got "no"$/,
  ],
  ['no JSON', `{"base_url": "${secret}",`, /is not JSON \(line 1 column \d+\); mend it/],
  ['a user name in the URL', { ...whole, base_url: `https://u:${secret}@x.example` }, /user name or password/],
  ['another protocol', { ...whole, base_url: 'ftp://x.example' }, /base_url/],
  ['a proxy without its variable', { ...whole, proxy: 'GR_PROXY' }, /GR_PROXY is not set/],
  [
    'a header that carries the key',
    { ...whole, headers: { authorization: 'GR_KEY' } },
    /headers\.authorization is not for the profile to set/,
  ],
  [
    'a header without its variable',
    { ...whole, headers: { 'X-Gate': 'GR_GATE' } },
    /GR_GATE is not set \(headers\.X-Gate\)/,
  ],
]

test.for(wrong)('%s is complained about in one sentence', ([, profile, pattern]) => {
  expect(complaint(written(profile))).toMatch(pattern)
})

test('all faults are told at once', () => {
  const faulty = {
    ...whole,
    base_url: 'http://staging.example',
    abilities: { vidoe: true },
    ca_file: 'no-such-ca.pem',
    headers: { 'X-Gate': 'GR_GATE' },
    timeouts: { reply_ms: 0 },
  }
  const message = complaint(written(faulty))
  expect(message).toMatch(
    /^the profile .* has 5 faults: \(1\) abilities has an unknown field "vidoe"; did you mean "video"\?/,
  )
  for (const told of ['timeouts.reply_ms', 'is not https', 'no-such-ca.pem', 'GR_GATE is not set']) {
    expect(message).toContain(told)
  }
})

test('where there are many faults, none of them is left out', () => {
  const unknown = {
    abilities: { a: true, b: true, c: true, d: true },
    limits: { e: {}, f: {}, g: {} },
    media: { h: 1 },
  }
  const message = complaint(written({ ...whole, ...unknown }))
  for (const field of 'abcdefgh') expect(message).toContain(`unknown field "${field}"`)
})

test('comments and trailing commas may stand in a profile', () => {
  const text = `\ufeff// who we are\n{ "base_url": "https://staging.example", /* ours */ "keys": { "primary": "GR_KEY", }, }`
  expect(loadProfile(written(text), environment).profile).toEqual(whole)
})

test('a file that is no certificate is complained about', () => {
  expect(complaint(written({ ...whole, ca_file: written('no pem') }))).toContain('holds no certificate')
})

test('what is neither a file nor a URL is complained about', () => {
  expect(complaint('staging.example')).toBe(
    '--target "staging.example" cannot be read (there is no such file or folder); give a profile file, or a URL that starts with https://',
  )
})

test('a primary key that is not set is an error, an optional one is noted', () => {
  expect(complaint(written(whole), {})).toContain('the environment variable GR_KEY is not set')
  const keys = { primary: 'GR_KEY', capped: 'GR_CAPPED' }
  expect(loadProfile(written({ ...whole, keys }), environment).unset).toEqual(['capped'])
})

test('one key under two names is an error', () => {
  const keys = { primary: 'GR_KEY', other_workspace: 'GR_OTHER' }
  expect(complaint(written({ ...whole, keys }), { ...environment, GR_OTHER: secret })).toContain(
    'keys.primary and keys.other_workspace hold the same API key',
  )
})

test('a key with a line end is an error', () => {
  expect(complaint(written(whole), { GR_KEY: `${secret}\n` })).toContain('line end')
})
