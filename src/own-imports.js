// Plain JavaScript that old versions of Node can parse. Says where Greenroom's own files are that Greenroom's own files
// import, as `imports` in package.json does: there are many hundreds, and Node looks at folders, links and manifests for
// each, which is a third of what a start costs. All other imports are left to Node. Threads need it anew: `--import`.
import nodeModule from 'module'

const here = import.meta.url
// Node strips no types under node_modules; an installed package brings its build instead.
const installed = here.includes('/node_modules/')
const root = new URL(installed ? '../dist/' : '../', here).href
const foreign = root + 'node_modules/'
const [extension, format] = installed ? ['.js', 'module'] : ['.ts', 'module-typescript']

if (nodeModule.registerHooks !== undefined) nodeModule.registerHooks({ resolve })

function resolve(name, context, next) {
  const from = context.parentURL
  const own = from !== undefined && from.startsWith(root) && !from.startsWith(foreign)
  if (own && name[0] === '#') return { url: root + 'src/' + name.slice(1) + extension, format, shortCircuit: true }
  if (own && name[0] === '.' && name.endsWith(extension))
    return { url: new URL(name, from).href, format, shortCircuit: true }
  return next(name, context)
}
