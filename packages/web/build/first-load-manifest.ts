import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { consoleRoutes } from './console-routes.ts'
import { firstLoads } from './first-loads.ts'

/** One entry of `first-loads.json`: what the server adds to the document of a URL that matches. */
type ManifestEntry = {
  /** The segments of the path; a segment with `$` stands for any value. */
  path: string[]
  search?: 'none' | Readonly<Record<string, string>>
  scripts: string[]
}

const sourceFolder = join(import.meta.dirname, '../src')

/** Writes `first-loads.json`, which names the scripts that the pages need first. */
export function firstLoadManifest(): Plugin {
  return {
    name: 'first-load-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const scriptsOf = createScriptsOf(bundle)
        const routes = consoleRoutes()
        const unknown = firstLoads.find(({ path }) => !routes.some((route) => route.path === path))
        if (unknown !== undefined) this.error(`first-loads.ts: no route has the path ${unknown.path}.`)
        const entries: ManifestEntry[] = [
          ...routes.map(({ path, file, layouts }) => ({
            path: segments(path),
            scripts: scriptsOf([...layouts, file]),
          })),
          ...firstLoads.map(({ path, search, modules }) => ({
            path: segments(path),
            ...(search === undefined ? {} : { search }),
            scripts: scriptsOf(modules),
          })),
        ]
        this.emitFile({ type: 'asset', fileName: 'first-loads.json', source: JSON.stringify(entries) })
      },
    },
  }
}

const segments = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/** Returns a function that returns the scripts of modules, including all that they import. */
function createScriptsOf(bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const entry = chunks.find(({ isEntry }) => isEntry)
  const loaded = new Set<string>()
  if (entry !== undefined) addChunk(entry.fileName, loaded)

  function addChunk(fileName: string, files: Set<string>): void {
    if (files.has(fileName)) return
    files.add(fileName)
    const chunk = chunks.find((each) => each.fileName === fileName)
    for (const imported of chunk?.imports ?? []) addChunk(imported, files)
  }

  return (modules: readonly string[]): string[] => {
    const files = new Set<string>()
    for (const module of modules) {
      const id = join(sourceFolder, module)
      const chunk = chunks.find((each) => each.moduleIds.includes(id))
      if (chunk === undefined) throw new Error(`first-loads.ts: no chunk contains ${module}.`)
      addChunk(chunk.fileName, files)
    }
    return [...files].filter((file) => !loaded.has(file))
  }
}
