import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type ConsoleRoute = {
  /** The path with its parameters, such as `/applications/$applicationId/settings`. */
  path: string
  /** The source of the page below packages/web/src, or undefined for a layout. */
  file: string
  /** Whether people see the route without signing in. */
  isPublic: boolean
}

const source = join(import.meta.dirname, '../src/router.tsx')
const pattern =
  /(?:const (\w+) = )?createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(?:path: '([^']*)'|id: '\w+')(.*?)\n\s*\}\)/gs

/** Returns every route of the console that has a page, in the order of router.tsx. */
export function consoleRoutes(): ConsoleRoute[] {
  const layouts = new Map([['root', { path: '', isPublic: true }]])
  const routes: (ConsoleRoute & { name: string | undefined })[] = []
  const parents = new Set<string>()
  for (const [, name, parent = '', path = '', rest = ''] of readFileSync(source, 'utf8').matchAll(pattern)) {
    const layout = layouts.get(parent)
    if (layout === undefined)
      throw new Error(`The parent of the route ${path} is not above it in router.tsx.`)
    parents.add(parent)
    const full = `${layout.path}${path}`.replace(/(?<=.)\/$/, '')
    const isPublic = layout.isPublic && path !== ''
    if (name !== undefined) layouts.set(name, { path: full, isPublic })
    const file = /import\('\.\/([^']+)'\)/.exec(rest)?.[1]
    if (file !== undefined) routes.push({ path: full, file, isPublic, name })
  }
  const pages = routes.filter(({ name }) => name === undefined || !parents.has(name))
  if (pages.length === 0) throw new Error('router.tsx has no routes that this pattern matches.')
  return pages.map(({ path, file, isPublic }) => ({ path, file, isPublic }))
}
