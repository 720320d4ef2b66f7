import { findOrBuildK6 } from './binary.ts'

const k6 = findOrBuildK6((text) => console.error(text))
if ('why' in k6) {
  console.error(`load: ${k6.why}.`)
  process.exitCode = k6.buildFailed ? 4 : 3
} else {
  console.log(`${k6.path} ${k6.version}`)
}
