import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe } from 'vitest'
import { newFile } from '../new-folder.ts'
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
    beforeAll(async () => {
      browser = await Browser.start(program ?? '')
    })
    afterAll(async () => {
      await browser?.stop()
    })
    tests((page, look) => {
      if (browser === undefined) throw new Error('the browser has not started')
      return openPage(browser, pathToFileURL(newFile('page.html', page)).href, look)
    })
  })
}
