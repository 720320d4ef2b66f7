import { register } from '#judge/register'
import { sentences } from '#spec/sentences'
import { deviations } from '#target/deviations'
import type { Label } from '../label.ts'
import type { Changed, Cut, Mistake, Otherwise } from '../plan/plan.ts'
import { runs } from '../plan/runs.ts'

/** A label whose trace has no file yet. */
export type Unfiled = Omit<Label, 'file'>

/** What the interface's text says of a requirement, and where. */
function sourceOf(requirement: string): Pick<Label, 'requirement' | 'section' | 'says'> {
  const row = register().rows.get(requirement)
  if (row === undefined) throw new Error(`${requirement} is no requirement`)
  const own = sentences.filter(({ rows = [] }) => rows.includes(requirement))
  const best = own.find(({ section }) => section === row.section) ?? own[0]
  return { requirement, section: row.section, says: best?.says ?? row.text }
}

export function labelOfCut({ run, requirement }: Cut): Unfiled {
  const told = settingOf(run)
  const why = `The server was written from the interface's text alone, and keeps this: ${requirementText(requirement)}`
  return { verdict: 'legal', ...sourceOf(requirement), ...told, why }
}

export function labelOfChanged(verdict: Label['verdict'], { run, requirement, label, why }: Changed): Unfiled {
  const { server, told } = settingOf(run)
  return {
    verdict,
    ...sourceOf(label ?? requirement),
    server,
    told: `${told}; its recording was changed in one place`,
    why,
  }
}

export function labelOfMistake({ defect }: Mistake): Unfiled {
  const known = deviations().defects.find(({ id }) => id === defect)
  if (known === undefined) throw new Error(`${defect} is no defect`)
  const { requirement, text } = known
  const why = `${text} Required is: ${requirementText(requirement)}`
  return { verdict: 'illegal', ...sourceOf(requirement), server: 'reference target', told: `the defect ${defect}`, why }
}

export function labelOfOtherwise({ variation, requirement }: Otherwise): Unfiled {
  const known = deviations().variations.find(({ id }) => id === variation)
  if (known === undefined) throw new Error(`${variation} is no variation`)
  const why = `${known.text} Section ${known.section} leaves that open.`
  return {
    verdict: 'legal',
    ...sourceOf(requirement),
    server: 'reference target',
    told: `the variation ${variation}`,
    why,
  }
}

function requirementText(requirement: string): string {
  return register().rows.get(requirement)?.text ?? ''
}

function settingOf(run: Cut['run']): Pick<Label, 'server' | 'told'> {
  const { server, switches } = runs[run]
  const turned = Object.entries(switches).map(([name, value]) => `${name}: ${value}`)
  return { server, told: turned.length === 0 ? 'nothing' : `to be otherwise: ${turned.join(', ')}` }
}
