import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the build of the console records about its pages; see `packages/web/build/first-load-manifest.ts`. */
type ManifestEntry = {
  path: string[]
  search?: 'none' | Readonly<Record<string, string>>
  scripts: string[]
}

/** Returns the scripts that a page needs first; undefined if the console has no page at the URL. */
export type FindFirstLoad = (url: string) => string[] | undefined

/** Reads which scripts the pages of a build of the console need first. */
export async function readFirstLoads(folder: string): Promise<FindFirstLoad> {
  const entries = JSON.parse(await readFile(join(folder, 'first-loads.json'), 'utf8')) as ManifestEntry[]
  return (url) => findFirstLoad(entries, url)
}

function findFirstLoad(entries: readonly ManifestEntry[], url: string): string[] | undefined {
  // Clients can send URLs that the URL parser rejects, such as `//[`.
  const [pathname = '', query] = url.split('?', 2)
  const searchParams = new URLSearchParams(query)
  const segments = segmentsOf(pathname)
  const found = entries.filter(({ path }) => matches(path, segments))
  if (found.length === 0) return undefined
  // A fixed path, such as `/applications/new`, takes precedence over one with parameters.
  const best = Math.min(...found.map(({ path }) => countParameters(path)))
  const applicable = found.filter(
    ({ path, search }) => countParameters(path) === best && hasSearch(searchParams, search),
  )
  return [...new Set(applicable.flatMap(({ scripts }) => scripts))]
}

const segmentsOf = (pathname: string): string[] => {
  const path = pathname.replace(/^\//, '').replace(/\/$/, '')
  return path === '' ? [] : path.split('/').map(decoded)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Compares segments as the router of the console does, which ignores case. A parameter stands for any value but none. */
const matches = (path: readonly string[], segments: readonly string[]): boolean =>
  path.length === segments.length &&
  path.every((name, index) => {
    const segment = segments[index] ?? ''
    return name.startsWith('$') ? segment !== '' : name.toLowerCase() === segment.toLowerCase()
  })

const countParameters = (path: readonly string[]): number =>
  path.filter((name) => name.startsWith('$')).length

function hasSearch(sent: URLSearchParams, search: ManifestEntry['search']): boolean {
  if (search === undefined) return true
  if (search === 'none') return sent.size === 0
  return Object.entries(search).every(([name, value]) => sent.get(name) === value)
}
