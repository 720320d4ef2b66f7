import { exhibits } from '#spec/exhibits'
import { Components } from './components.ts'
import type { Exhibits } from './examples.ts'

/** What the parts of a document are made from: the shapes that it refers to so far, and the exhibits of all. */
export interface Source {
  readonly components: Components
  readonly exhibits: Exhibits
}

/** A source for one document. */
export function openSource(): Source {
  return { components: new Components(), exhibits: exhibits() }
}
