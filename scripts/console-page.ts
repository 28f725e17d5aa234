import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { consoleRoutes } from '../packages/web/build/console-routes.ts'
import { operationsWithoutScreen } from './console/operations-without-screen.ts'
import { reachableUses } from './console/reachable-uses.ts'

type Operation = { id: string; method: string; path: string; tag: string }
type OpenApi = { paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>> }

const everyPage = 'every page'
const maxScreens = 3

/**
 * Returns the text of docs/console.md and the errors: operations of the API that no screen calls and that have no
 * reason, and reasons that no longer apply.
 */
export function consolePage(root: string): { text: string; errors: string[] } {
  const operations = readOperations(root)
  const screens = findScreens(root, new Set(operations.map(({ id }) => id)))
  const errors: string[] = []
  for (const { id } of operations) {
    const hasReason = id in operationsWithoutScreen
    if (screens.has(id) && hasReason)
      errors.push(`${id} has a screen: remove it from scripts/console/operations-without-screen.ts`)
    if (!screens.has(id) && !hasReason)
      errors.push(
        `no screen of the console calls ${id}: add one, or a reason to scripts/console/operations-without-screen.ts`,
      )
  }
  const known = new Set(operations.map(({ id }) => id))
  errors.push(
    ...Object.keys(operationsWithoutScreen)
      .filter((id) => !known.has(id))
      .map((id) => `scripts/console/operations-without-screen.ts names ${id}, which is not an operation`),
  )
  return { text: page(operations, screens), errors }
}

function readOperations(root: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as OpenApi
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id, tags: [tag = ''] = [] }]) =>
      id === undefined ? [] : [{ id, method: method.toUpperCase(), path, tag }],
    ),
  )
}

/** Returns the screens that call each operation, by operation ID. */
function findScreens(root: string, operations: ReadonlySet<string>): Map<string, string[]> {
  const source = join(root, 'packages/web/src')
  const uses = (file: string) => reachableUses(join(source, file), operations)
  const inFrame = uses('frame/app-frame.tsx')
  const screens = new Map<string, string[]>([...inFrame].map((id) => [id, [everyPage]]))
  // The router loads the session before every page.
  screens.set('getSession', [everyPage])
  for (const { path, file } of consoleRoutes())
    for (const id of uses(file))
      if (!screens.get(id)?.includes(everyPage)) screens.set(id, [...(screens.get(id) ?? []), path])
  return screens
}

function page(operations: readonly Operation[], screens: ReadonlyMap<string, readonly string[]>): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const sections = tags.map((tag) => {
    const rows = operations
      .filter((operation) => operation.tag === tag)
      .map(({ id, method, path }) => `| \`${id}\` | ${method} ${path} | ${describe(id, screens.get(id))} |`)
    return `## ${headingOf(tag)}\n\n| Operation | Endpoint | Screens of the console |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  const reached = operations.filter(({ id }) => screens.has(id)).length
  return `# Operations in the console

This page lists the screens of the console that call each operation of the API: ${reached} of ${operations.length} operations have a
screen. The table gives the reason for each of the others, or *none* if the screen is missing.

\`npm run generate\` derives this page from the source of the console: for each route in
[router.tsx](${relative('docs', 'packages/web/src/router.tsx')}), it follows the functions and components that the page uses to their
calls of the SDK. The reasons are in
[operations-without-screen.ts](${relative('docs', 'scripts/console/operations-without-screen.ts')}).

${sections.join('\n')}`
}

const headingOf = (tag: string): string =>
  `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`.replace(/^Api /, 'API ')

function describe(id: string, screens: readonly string[] | undefined): string {
  if (screens === undefined) return operationsWithoutScreen[id] ?? 'none'
  const names = screens.slice(0, maxScreens).map((path) => (path === everyPage ? everyPage : `\`${path}\``))
  const others = screens.length - names.length
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}
