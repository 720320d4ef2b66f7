import { change } from '#target/overrides/changes'
import { around, set } from '#target/overrides/operators'
import { textOf } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { onMade, onShown } from '../tools/world-sessions.ts'

export const referencesDefects = defectsOf('world-sessions.references', {
  'name-only: References come back with their content.': set(
    'world.views.created.references',
    ({ session }) => session.plan.references,
  ),
  'name-only~replayed: A create repeated with its key shows the content of its references.': set(
    'world.views.replayed.references',
    ({ session }) => session.plan.references,
  ),
  'name-only~get: Get shows the first text of each reference.': set('world.views.got.references', ({ session }) =>
    session.plan.references.map(({ name, content }) => ({
      name,
      summary: content[0]?.['text'] ?? content[0]?.['url'],
    })),
  ),
  'name-only~renewed: Once there are fresh secrets, Get shows the content of the references.': around(
    'world.views.got.references',
    (shown) => (scene) => (scene.session.issues.length > 1 ? scene.session.plan.references : shown?.(scene)),
  ),
  'names-returned: The last reference is lost.': around(
    'world.create.references',
    (references) => (body) => references(body).slice(0, -1),
  ),
  'names-returned~lower-case: Names of references come back in lower case.': around(
    'world.create.references',
    (references) => (body) => references(body).map((one) => ({ ...one, name: one.name.toLowerCase() })),
  ),
  'names-returned~upper-case: Names of references come back in capitals.': onMade(
    change('references.*.name', (name) => textOf(name)?.toUpperCase()),
  ),
  'names-returned~twice: The first reference comes back twice.': onMade(
    change('references', (list) => (Array.isArray(list) ? [...list.slice(0, 1), ...list] : list)),
  ),
  'names-returned~ascii: Names of references lose their letters outside ASCII.': around(
    'world.create.references',
    (references) => (body) => references(body).map((one) => ({ ...one, name: one.name.replaceAll(/[^ -~]/gu, '?') })),
  ),
  'array: References come back as an object.': onMade(
    change('references', (list) => (Array.isArray(list) ? { names: list } : list)),
  ),
  'array-unasked: Without references there is no list of them.': onMade(
    change('references', (list) => (Array.isArray(list) && list.length === 0 ? undefined : list)),
  ),
  'names-returned~cut: Names of references come back with 16 letters at most.': onShown(
    change('references.*.name', (name) => textOf(name)?.slice(0, 16)),
  ),
})
