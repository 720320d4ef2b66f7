import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commonMeasures } from '../../../load/core/common-measures.ts'
import { keysOf } from '../../../load/core/tally.ts'
import { packageRoot } from '#spec/package-root'

interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string; readonly refId: string }[]
}

interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}

const text = readFileSync(join(packageRoot(), 'load/grafana/greenroom.json'), 'utf8')
const { panels, templating }: Dashboard = JSON.parse(text)
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const measures = keysOf(commonMeasures({ serverEvents: ['response.done'], errorCodes: ['10008'] }))

test('every metric of ours that the dashboard shows is one that every scenario counts, with keys that there are', () => {
  const asked = expressions.flatMap((expr) => [
    ...expr.matchAll(/k6_greenroom_\$\{scenario\}_(\w+)_total"(?:, key=~?"([^"]+)")?/g),
  ])
  expect(asked.length).toBeGreaterThan(8)
  for (const [, name = '', keys] of asked) {
    const known = [...(measures.find((one) => one.name === name)?.keys ?? [])]
    expect(known, name).not.toEqual([])
    for (const key of keys?.split('|') ?? []) expect(known).toContain(key)
  }
})

test('every variable that is used is one of the dashboard', () => {
  const used = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))
  expect(used).toEqual(new Set(templating.list.map(({ name }) => name)))
})

test('panels have ids and places of their own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...panels.map(({ gridPos }) => gridPos.x + gridPos.w))).toBe(24)
})
