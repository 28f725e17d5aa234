import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the build of the console records about its pages; see `packages/web/build/first-load-manifest.ts`. */
type ManifestEntry = {
  path: string[]
  search?: 'none' | Readonly<Record<string, string>>
  requests: string[]
  scripts: string[]
  styles: string[]
}

/** What a page needs first: requests to the API, and files of the console. */
export type FirstLoad = { requests: string[]; scripts: string[]; styles: string[] }

export type FindFirstLoad = (url: string) => FirstLoad

/** Reads which requests and files the pages of a build of the console need first. */
export async function readFirstLoads(folder: string): Promise<FindFirstLoad> {
  const text = await readFile(join(folder, 'first-loads.json'), 'utf8').catch(() => '[]')
  const entries = JSON.parse(text) as ManifestEntry[]
  return (url) => findFirstLoad(entries, url)
}

const isId = /^[\w-]{1,100}$/

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
  const parameters = new Map(searchParams)
  for (const [index, name] of (applicable[0]?.path ?? []).entries())
    if (name.startsWith('$')) parameters.set(name.slice(1), segments[index] ?? '')
  return {
    requests: unique(applicable.flatMap(({ requests }) => requests)).flatMap((each) =>
      fillRequest(each, parameters),
    ),
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
  return Object.entries(search).every(([name, value]) =>
    value === '*' ? sent.has(name) : sent.get(name) === value,
  )
}

/** Returns the URL with the parameters in place of their names; none if one of them cannot be an ID. */
function fillRequest(template: string, parameters: ReadonlyMap<string, string>): string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (!names.every((name) => isId.test(parameters.get(name) ?? ''))) return []
  return [template.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters.get(name) ?? '')]
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]
