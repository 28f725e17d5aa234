/** Environment variables by name. */
export type Env = Record<string, string | undefined>

/** Metadata about the current CI run, read from environment variables. */
export type CiMetadata = {
  pipelineName?: string | undefined
  pipelineUrl?: string | undefined
  runId?: string | undefined
  runUrl?: string | undefined
  buildNumber?: string | undefined
  startedAt?: Date | undefined
  branch?: string | undefined
  tag?: string | undefined
  /** The commit that was built. For a pull request, the head of its source branch. */
  commit?: string | undefined
  /** The checked-out commit if it differs from `commit`, such as the merge commit of a pull request. */
  mergeCommit?: string | undefined
  commitUrl?: string | undefined
  repoName?: string | undefined
  repoUrl?: string | undefined
  hostType?: string | undefined
  host?: string | undefined
}

/** Parses an ISO 8601 timestamp, Unix seconds or Unix milliseconds. Returns undefined for any other string. */
export function parseTime(text: string | undefined): Date | undefined {
  if (!text) return undefined
  const number = Number(text)
  const date = Number.isFinite(number)
    ? new Date(number > 1e11 ? number : number * 1000)
    : new Date(text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Returns the first non-empty string. CI services set some variables to an empty string. */
export function firstNonEmpty(...texts: (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== '')
}

/** Returns the short name of a ref such as `refs/heads/main`, `refs/tags/v1` or `origin/main`. */
export function shortRef(ref: string | undefined): string | undefined {
  return firstNonEmpty(ref?.replace(/^refs\/(heads|tags|remotes\/origin)\//, '').replace(/^origin\//, ''))
}

/** Joins the parts with slashes. Returns undefined if any part is missing. */
export function joinPath(...parts: (string | undefined)[]): string | undefined {
  if (parts.some((part) => part === undefined || part === '')) return undefined
  return parts.map((part) => part?.replace(/\/+$/, '')).join('/')
}
