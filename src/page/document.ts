import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import { Html, html } from './html.ts'

export interface PageParts {
  readonly title: string
  /** Style sheets and scripts beside those that all pages have. */
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  readonly header: Html
  readonly sections: readonly Section[]
  /** Blocks of data for the scripts. */
  readonly data: readonly Html[]
}

export interface Section {
  /** What a link to it ends with. */
  readonly id: string
  readonly title: string
  readonly body: Html
}

/** Text of a file of this package that goes into pages as it is. @param path below the package */
export function asset(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8')
}

/**
 * One self-contained page. Its policy allows the scripts and styles in it, by their digests, and no request at all:
 * neither text from a target nor a mistake of ours can run or load anything.
 */
export function document({ title, styles, scripts, header, sections, data }: PageParts): string {
  const css = [asset('src/page/browser/page.css'), ...styles].map((text) => block('style', text))
  const code = [asset('src/page/browser/page.js'), ...scripts].map((text) => block('script', text))
  const policy = [
    "default-src 'none'",
    `style-src ${css.map(({ digest }) => digest).join(' ')}`,
    `script-src ${code.map(({ digest }) => digest).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${css.map(({ markup }) => markup)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="page-head">${header}</header>
<nav class="page-nav" aria-label="Sections"><ul>${sections.map(link)}</ul><button type="button" id="theme" class="quiet" hidden>Dark</button></nav>
<main id="main">
${sections.map(sectionOf)}
</main>
<p id="said" class="unseen" role="status"></p>
${data}
${code.map(({ markup }) => markup)}
</body>
</html>
`
  return page.markup
}

const link = ({ id, title }: Section): Html => html`<li><a href="#${id}">${title}</a></li>`

function sectionOf({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>
`
}

interface Block {
  readonly markup: Html
  /** As a policy names it. */
  readonly digest: string
}

function block(element: 'style' | 'script', text: string): Block {
  if (text.toLowerCase().includes(`</${element}`)) throw new Error(`a ${element} of a page would end its own element`)
  const digest = `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return { markup: new Html(`<${element}>${text}</${element}>\n`), digest }
}
