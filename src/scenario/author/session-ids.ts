import { isObject, type Json } from '#trace/json'

const names = ['session_id', 'id']

/** A text of the data: a value, or the name of a member, with where it stands; items of a list stand in one place. */
interface Text {
  readonly place: string
  readonly text: string
  /** Its own name says that it is an id. */
  readonly named: boolean
}

/**
 * Ids of sessions anywhere in the data of List Sessions, whose form is not shown (4.1): what bears such a name, and what
 * stands in the same place as a session that is known.
 */
export function idsIn(data: Json | undefined, known: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const texts = textsOf(data, '')
  const places = new Set(texts.filter(({ text }) => known.has(text)).map(({ place }) => place))
  return new Set(texts.filter(({ named, place }) => named || places.has(place)).map(({ text }) => text))
}

/** Texts of the form that known ids have: ids of sessions, where none stands beside them that is known. */
export function idsLike(data: Json | undefined, known: ReadonlySet<string>): ReadonlySet<string> {
  const forms = new Set([...known].map(formOf))
  const texts = textsOf(data, '').map(({ text }) => text)
  return new Set(texts.filter((text) => /\d/.test(text) && forms.has(formOf(text))))
}

/** What stands between letters and digits, and about how long it is. */
function formOf(text: string): string {
  return `${text.replaceAll(/[\p{L}\p{N}]+/gu, 'x')} ${Math.round(text.length / 4)}`
}

function textsOf(value: Json | undefined, place: string, named = false): readonly Text[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => textsOf(item, `${place}[]`))
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, inside]) => [
      { place: `${place}{}`, text: name, named: false },
      ...textsOf(inside, `${place}/${name}`, names.includes(name)),
    ])
  }
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? [{ place, text, named }] : []
}
