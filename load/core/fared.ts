import { type Finding, manyOf } from './findings.ts'
import type { Key } from './keys.ts'
import { OTHER, type Tally } from './tally.ts'

/** Workspaces that load is spread over: that of another key may be on another deployment, which takes other models. */
const workspaces = ['primary', 'other_workspace'] as const

/** How the creates of each of them fared, all of which have the same body but for their names. */
export const fares = (): readonly string[] => [...faresOf('primary'), ...faresOf('other_workspace'), OTHER]

const faresOf = (workspace: (typeof workspaces)[number]): readonly string[] =>
  ['taken', 'wrong', 'denied'].map((fare) => `${workspace} ${fare}`)

export function countFare(tally: Tally<'fared'>, { name }: Key, fare: 'taken' | 'wrong' | 'denied'): void {
  tally.count('fared', `${name === 'other_workspace' ? name : 'primary'} ${fare}`)
}

/** Workspaces in which some were taken. */
const takers = (tally: Tally<'fared'>): readonly string[] =>
  workspaces.filter((one) => tally.total('fared', [`${one} taken`]) > 0)

const ofTakers = (tally: Tally<'fared'>, fare: 'taken' | 'wrong' | 'denied'): number =>
  tally.total(
    'fared',
    takers(tally).map((one) => `${one} ${fare}`),
  )

/** How many were called wrong where others were taken. */
export const calledWrongBesides = (tally: Tally<'fared'>): number => ofTakers(tally, 'wrong')

/** How many were denied since their keys have no access, where others were taken. */
export const deniedBesides = (tally: Tally<'fared'>): number => ofTakers(tally, 'denied')

/** What was refused as a wrong request, where others of the same workspace were taken that differ in nothing but their names. */
export function calledWrong(tally: Tally<'fared'>, what: string): Finding[] {
  const wrong = calledWrongBesides(tally)
  const of = wrong + ofTakers(tally, 'taken')
  return manyOf(wrong, of, `${what} were refused as wrong requests, where others like them were taken`)
}

/** Workspaces that took none at all, and how many they refused: as wrong requests, or since their keys have no access. */
export function workspacesWithout(tally: Tally<'fared'>): { readonly workspace: string; readonly refused: number }[] {
  return workspaces.flatMap((workspace) => {
    const refused = tally.total('fared', [`${workspace} wrong`, `${workspace} denied`])
    return refused === 0 || takers(tally).includes(workspace) ? [] : [{ workspace, refused }]
  })
}
