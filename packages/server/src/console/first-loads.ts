import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the build of the console records about its pages; see `packages/web/build/first-load-manifest.ts`. */
type ManifestEntry = {
  path: string[]
  search?: 'none' | Readonly<Record<string, string>>
  scripts: string[]
  styles: string[]
}

/** The files of the console that a page needs first. */
export type FirstLoad = { scripts: string[]; styles: string[] }

export type FindFirstLoad = (url: string) => FirstLoad

/** Reads which files the pages of a build of the console need first. */
export async function readFirstLoads(folder: string): Promise<FindFirstLoad> {
  const text = await readFile(join(folder, 'first-loads.json'), 'utf8').catch(() => '[]')
  const entries = JSON.parse(text) as ManifestEntry[]
  return (url) => findFirstLoad(entries, url)
}

function findFirstLoad(entries: readonly ManifestEntry[], url: string): FirstLoad {
  // Clients can send URLs that the URL parser rejects, such as `//[`.
  const [pathname = '', query] = url.split('?', 2)
  const searchParams = new URLSearchParams(query)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const found = entries.filter(({ path }) => matches(path, segments))
  // A fixed path, such as `/applications/new`, takes precedence over one with parameters.
  const best = Math.min(...found.map(({ path }) => countParameters(path)))
  const applicable = found.filter(
    ({ path, search }) => countParameters(path) === best && hasSearch(searchParams, search),
  )
  return {
    scripts: unique(applicable.flatMap(({ scripts }) => scripts)),
    styles: unique(applicable.flatMap(({ styles }) => styles)),
  }
}

const matches = (path: readonly string[], segments: readonly string[]): boolean =>
  path.length === segments.length &&
  path.every((name, index) => name.startsWith('$') || name === segments[index])

const countParameters = (path: readonly string[]): number =>
  path.filter((name) => name.startsWith('$')).length

function hasSearch(sent: URLSearchParams, search: ManifestEntry['search']): boolean {
  if (search === undefined) return true
  if (search === 'none') return sent.size === 0
  return Object.entries(search).every(([name, value]) => sent.get(name) === value)
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]
