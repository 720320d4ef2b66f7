import { loadPage } from '../load-page.ts'
import { madeUpNights, madeUpReport } from './made-up.ts'

/** The page that shows everything a page can hold: made-up numbers, the same every time. */
export const samplePage = (): string => loadPage(madeUpReport(), madeUpNights(30))
