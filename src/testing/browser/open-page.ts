import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Browser } from './devtools.ts'

export interface Violation {
  readonly id: string
  readonly help: string
  /** Markup of what violates it. */
  readonly nodes: readonly string[]
}

/** One page in a tab of its own, and everything that it did. */
export interface OpenPage {
  /** Addresses that the page asked for, itself left out. */
  readonly requests: readonly string[]
  /** What its console and its policy complained of. */
  readonly complaints: readonly string[]
  /** Milliseconds from navigation to the end of its `load` event. */
  readonly loadMs: number
  evaluate(expression: string): Promise<unknown>
  /** What axe-core finds. */
  violations(): Promise<readonly Violation[]>
  /** A PNG of the page from `top` on. */
  screenshot(top: number, height: number): Promise<Buffer>
  press(key: 'Tab' | 'Enter'): Promise<void>
}

export interface Look {
  readonly width: number
  readonly theme: 'light' | 'dark'
}

/** @param url of a file, or `data:` */
export async function openPage(browser: Browser, url: string, { width, theme }: Look): Promise<OpenPage> {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
  const send = (method: string, params: object = {}): Promise<{ readonly [field: string]: unknown }> =>
    browser.send(method, params, String(sessionId))
  const requests: string[] = []
  const complaints: string[] = []
  listen(browser, url, requests, complaints)
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`)
  await send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false })
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] })
  const loaded = browser.once('Page.loadEventFired')
  await send('Page.navigate', { url })
  await loaded
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { readonly value?: unknown }).value
  }
  const timing = 'const [t] = performance.getEntriesByType("navigation"); t.loadEventEnd - t.startTime'
  return {
    requests,
    complaints,
    loadMs: Number(
      await evaluate(
        `new Promise((end) => setTimeout(() => { ${timing.replace('t.loadEventEnd', 'end(t.loadEventEnd')}) }))`,
      ),
    ),
    evaluate,
    async violations() {
      await evaluate(`${axeSource()}; 0`)
      const found = await evaluate(
        'axe.run({ resultTypes: ["violations"], preload: false }).then((r) => r.violations.map((v) => ({ id: v.id, help: v.help, nodes: v.nodes.map((n) => n.html.slice(0, 300)) })))',
      )
      return found as readonly Violation[]
    },
    async screenshot(top, height) {
      const clip = { x: 0, y: top, width, height, scale: 1 }
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true, clip })
      return Buffer.from(String(data), 'base64')
    },
    async press(key) {
      const text = key === 'Enter' ? { text: '\r', windowsVirtualKeyCode: 13 } : { windowsVirtualKeyCode: 9 }
      for (const type of ['keyDown', 'keyUp']) await send('Input.dispatchKeyEvent', { type, key, code: key, ...text })
    },
  }
}

function listen(browser: Browser, url: string, requests: string[], complaints: string[]): void {
  browser.on('Network.requestWillBeSent', ({ request }) => {
    const asked = (request as { readonly url: string }).url
    if (asked.split('#')[0] !== url.split('#')[0]) requests.push(asked)
  })
  browser.on('Log.entryAdded', ({ entry }) => complaints.push((entry as { readonly text: string }).text))
  browser.on('Runtime.exceptionThrown', (thrown) => complaints.push(JSON.stringify(thrown)))
}

const require = createRequire(import.meta.url)
let axe: string | undefined

function axeSource(): string {
  return (axe ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))
}
