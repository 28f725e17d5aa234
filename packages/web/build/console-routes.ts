import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type ConsoleRoute = {
  /** The path with its parameters, such as `/applications/$applicationId/settings`. */
  path: string
  /** The source of the page below packages/web/src. */
  file: string
  /** The sources of the layouts around the page, from the outside to the inside. */
  layouts: string[]
  /** Whether people see the route without signing in. */
  isPublic: boolean
}

const source = join(import.meta.dirname, '../src/router.tsx')
const pattern =
  /(?:const (\w+) = )?createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(?:path: '([^']*)'|id: '\w+')(.*?)\n\s*\}\)/gs

/**
 * Returns every route of the console that has a page, in the order of router.tsx. The build fails if they differ from those of
 * the router itself; see `requireEveryRoute`.
 */
export function consoleRoutes(text = readFileSync(source, 'utf8')): ConsoleRoute[] {
  const parents = new Map<string, Omit<ConsoleRoute, 'file'>>([
    ['root', { path: '', isPublic: true, layouts: [] }],
  ])
  const routes: (ConsoleRoute & { name: string | undefined })[] = []
  const usedParents = new Set<string>()
  for (const [, name, parent = '', path = '', rest = ''] of text.matchAll(pattern)) {
    const around = parents.get(parent)
    if (around === undefined)
      throw new Error(`The parent of the route ${path} is not above it in router.tsx.`)
    usedParents.add(parent)
    const full = `${around.path}${path}`.replace(/(?<=.)\/$/, '')
    const isPublic = around.isPublic && path !== ''
    const file = /import\('\.\/([^']+)'\)/.exec(rest)?.[1]
    const layouts = [...around.layouts, ...(file === undefined ? [] : [file])]
    if (name !== undefined) parents.set(name, { path: full, isPublic, layouts })
    if (file !== undefined) routes.push({ path: full, file, layouts: around.layouts, isPublic, name })
  }
  const pages = routes.filter(({ name }) => name === undefined || !usedParents.has(name))
  if (pages.length === 0) throw new Error('router.tsx has no routes that this pattern matches.')
  return pages.map(({ name: _, ...page }) => page)
}
