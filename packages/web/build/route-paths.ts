import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { consoleRoutes } from './console-routes.ts'

const listPaths = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.script).then(({ routePaths }) => parentPort.postMessage(routePaths()))
`

/** Returns the paths of all pages of the router that the script of the preview thread contains. */
export async function listRoutePaths(previewScript: string): Promise<string[]> {
  const workerData = { script: pathToFileURL(previewScript).href, publicUrl: 'http://localhost' }
  const worker = new Worker(listPaths, { eval: true, workerData })
  const [paths] = (await once(worker, 'message')) as [string[]]
  await worker.terminate()
  return paths
}

/**
 * Throws unless `consoleRoutes` found every page of the router. The server returns 404 for the others, and no test would visit
 * them.
 */
export function requireEveryRoute(
  paths: readonly string[],
  routes: readonly { path: string }[] = consoleRoutes(),
): void {
  const found = new Set(routes.map(({ path }) => path))
  const missing = paths.filter((path) => !found.delete(path))
  if (missing.length > 0)
    throw new Error(`console-routes.ts does not find these routes of router.tsx: ${missing.join(', ')}`)
  if (found.size > 0)
    throw new Error(`console-routes.ts finds routes that the router does not have: ${[...found].join(', ')}`)
}
