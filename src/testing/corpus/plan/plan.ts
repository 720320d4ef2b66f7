import { readFileSync } from 'node:fs'
import type { Tier } from '#trace/entry'
import type { Change, Place } from '../make/change.ts'
import type { RunName } from './runs.ts'

/** A piece of a run against an independent server, in which a requirement shows. */
export interface Cut {
  readonly run: RunName
  readonly requirement: string
}

/** The same piece with one change. */
export interface Changed extends Cut {
  readonly at: Place
  readonly change: Change
  /** The requirement that the label speaks of, where it is another one. */
  readonly label?: string
  /** What was done to the piece, and why the verdict is what it is. */
  readonly why: string
}

/** A piece of a run against the reference target with a seeded mistake. */
export interface Mistake {
  readonly defect: string
  /** The scenario that meets it. */
  readonly only: string
  readonly tier?: Tier
}

/** A piece of a run against the reference target that does something otherwise, as it may. */
export interface Otherwise {
  readonly variation: string
  readonly only: string
  readonly requirement: string
}

/** All that is made beside what is cut as it is. */
export const plan = {
  /** Changed so that a requirement is broken. */
  altered: read('altered') as readonly Changed[],
  /** Changed so that a requirement does not show any more. */
  undecided: read('undecided') as readonly Changed[],
  mistakes: read('mistakes') as readonly Mistake[],
  otherwise: read('otherwise') as readonly Otherwise[],
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'))
}
