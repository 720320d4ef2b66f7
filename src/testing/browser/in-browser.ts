import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { Browser, findBrowser } from './devtools.ts'
import { type Look, type OpenPage, openPage } from './open-page.ts'

export const looks: readonly Look[] = [
  { width: 1_400, theme: 'light' },
  { width: 1_400, theme: 'dark' },
  { width: 400, theme: 'light' },
  { width: 400, theme: 'dark' },
]

const program = findBrowser()

/** Tests in a real browser; skipped, and so named, only where this machine has none. */
export function inBrowser(tests: (open: (page: string, look: Look) => Promise<OpenPage>) => void): void {
  const title = program === undefined ? 'skipped: no chromium on the PATH to open pages in' : 'in a browser'
  describe.skipIf(program === undefined)(title, () => {
    let browser: Browser | undefined
    const folder = temporaryFolder()
    beforeAll(async () => {
      browser = await Browser.start(program ?? '')
    })
    afterAll(async () => {
      await browser?.stop()
    })
    let pages = 0
    tests((page, look) => {
      if (browser === undefined) throw new Error('the browser has not started')
      pages += 1
      const file = join(folder(), `page-${pages}.html`)
      writeFileSync(file, page)
      return openPage(browser, pathToFileURL(file).href, look)
    })
  })
}
