import { createMemoryHistory } from '@tanstack/react-router'
import { createQueryClient } from '../src/api/query-client.ts'
import { createConsoleRouter } from '../src/router.tsx'

/** Returns the path of every page of the console, with its parameters. The build compares them with its own list. */
export function routePaths(): string[] {
  const { routesById } = createConsoleRouter(
    createQueryClient(() => {}),
    createMemoryHistory(),
  )
  return Object.values(routesById).flatMap(({ children, fullPath }) =>
    children === undefined ? [fullPath.replace(/(?<=.)\/$/, '')] : [],
  )
}
