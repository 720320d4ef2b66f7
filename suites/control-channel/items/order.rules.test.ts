import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { created, message, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

test('the first item that is appended may follow one that was there from the start', () => {
  const inText = opened('text', state('text_chat', 'guide'))
  const first = created('a', message('a', 'user', 'One.'), null, { previous_item_id: 'root' })
  const appended = created('b', message('b', 'user', 'Two.'), 'rules')
  const further = created('c', message('c', 'user', 'Three.'), 'others')
  const broken = (...steps: readonly Steps[]) => verdictsOf(rules, [...inText, ...steps.flat()]).broken
  expect(broken(first, appended)).toEqual([])
  expect(broken(first, appended, further)).toContain('item-created.previous-item-known')
})
