import type { Finding } from './check-layers.ts'
import { isTest } from './import-rules.ts'
import type { Source } from './source.ts'

const server = 'packages/server/src/'
const definer = `${server}lib/problem.ts`

/** Returns the errors of the server that are created without a definition, so that no documentation lists them. */
export function problemFindings({ path, creations }: Source): Finding[] {
  if (!path.startsWith(server) || path === definer || isTest(path)) return []
  return creations
    .filter(({ className }) => className === 'Problem')
    .map(({ line }) => ({
      path,
      line,
      message: 'new Problem: define the error with problem(…) of lib/problem.ts',
    }))
}
