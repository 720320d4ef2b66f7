/** An element as a strict reader of XML sees it. */
export interface XmlElement {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: XmlElement[]
  text: string
}

const token = /<\?xml [^>]*\?>|<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y
const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Reads a document without comments, CDATA or DTD.
 *
 * @throws where it is not well-formed or holds a character that XML 1.0 forbids
 */
export function readXml(source: string): XmlElement {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(source)) throw new Error('forbidden character')
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [document]
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const at = token.lastIndex
    const match = token.exec(source)
    if (match === null) throw new Error(`not well-formed at ${at}: ${source.slice(at, at + 60)}`)
    take(match, open)
  }
  const [root] = document.children
  if (open.length !== 1 || root === undefined) throw new Error('elements are left open')
  return root
}

/** All elements of that name, at any depth. */
export function elements(root: XmlElement, name: string): readonly XmlElement[] {
  return [...(root.name === name ? [root] : []), ...root.children.flatMap((child) => elements(child, name))]
}

function take([, slash, name, attributes = '', empty, text]: RegExpExecArray, open: XmlElement[]): void {
  const parent = open.at(-1)
  if (parent === undefined) throw new Error('text after the end')
  if (text !== undefined) parent.text += decoded(text)
  if (name === undefined) return
  if (slash === '/') {
    if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`)
    return
  }
  const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decoded(value)])
  const element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
  parent.children.push(element)
  if (empty !== '/') open.push(element)
}

function decoded(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const character = entities[name]
    if (character === undefined) throw new Error(`bare ${whole}`)
    return character
  })
}
