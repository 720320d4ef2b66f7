import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import { samplePage } from './sample-page.ts'

/** `npm run sample:load`: writes the sample of a load page that stands in `reports/`. */
writeFileSync(join(packageRoot(), 'reports', 'sample-load.html'), samplePage())
