import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { handMadeResults, handMadeTrace, row } from '#testing/hand-made-results'
import { type AllureFolder, clearAllure, prepareRecording, writeAllure } from './allure-folder.ts'
import { newFolder } from '#testing/new-folder'

let root = ''
let folder: AllureFolder
beforeEach(() => {
  root = newFolder()
  folder = { results: join(root, 'allure-results'), recorded: join(root, '.allure') }
})

const options = { resend: () => undefined, trace: 't', rules: [], text: () => undefined }
const results = handMadeResults([row('voices.a.b', 'fail')])

test('what was recorded is gone once the report is there', () => {
  writeFileSync(join(prepareRecording(folder), 'a-result.json'), '{"uuid":"a","name":"n","status":"passed"}')
  writeAllure(folder, results, handMadeTrace, options)
  expect(readdirSync(root)).toEqual(['allure-results'])
  expect(readdirSync(folder.results)).toContain('greenroom-r1-run-result.json')
})

test('the next run clears an earlier one away, and leaves what other tools wrote', () => {
  writeAllure(folder, results, handMadeTrace, options)
  writeFileSync(join(folder.results, 'theirs-result.json'), '{}')
  clearAllure(folder)
  expect(readdirSync(folder.results)).toEqual(['theirs-result.json'])
})

test('a folder in which we wrote nothing is left alone', () => {
  mkdirSync(folder.results)
  for (const name of ['environment.properties', 'theirs-result.json']) writeFileSync(join(folder.results, name), '')
  clearAllure(folder)
  expect(readdirSync(folder.results)).toHaveLength(2)
})

test('a report that cannot be written whole is not written at all', () => {
  // The last file that is written.
  mkdirSync(join(folder.results, 'categories.json'), { recursive: true })
  expect(() => writeAllure(folder, results, handMadeTrace, options)).toThrow()
  expect(readdirSync(folder.results)).toEqual(['categories.json'])
})
