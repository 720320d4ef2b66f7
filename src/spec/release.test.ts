import { expect, test } from 'vitest'
import frozen from '../../suites/release.json' with { type: 'json' }
import { freeze, promiseOf } from './freeze-release.ts'
import { requirements } from './register.ts'

test('no row of the release is gone or promises something else', () => {
  const changed = Object.entries(frozen.rows).filter(([id, promise]) => {
    const row = [...requirements.values()].find((one) => one.id === id)
    return row === undefined || promiseOf(row) !== promise
  })
  expect(changed.map(([id]) => id)).toEqual([])
})

test('a row that the release does not hold is not scored', () => {
  const rows: { readonly [id: string]: string } = frozen.rows
  const unmarked = [...requirements.values()].filter((row) => (row.unscored === true) === (rows[row.id] !== undefined))
  expect(unmarked.map(({ id }) => id)).toEqual([])
})

test('the digest is that of the scored rows', () => {
  expect(freeze(frozen.version)).toEqual(frozen)
})
