/** Environment variables by name. */
export type Env = Record<string, string | undefined>

/** What a CI service tells about the run that calls us. Anything may be unknown. */
export type CiFacts = {
  pipelineName?: string | undefined
  pipelineUrl?: string | undefined
  runId?: string | undefined
  runUrl?: string | undefined
  startedAt?: Date | undefined
  branch?: string | undefined
  tag?: string | undefined
  commit?: string | undefined
  commitUrl?: string | undefined
  repoName?: string | undefined
  repoUrl?: string | undefined
  hostType?: string | undefined
  host?: string | undefined
}

/** An instant from ISO text, Unix seconds or Unix milliseconds; undefined when it is none. */
export function instant(text: string | undefined): Date | undefined {
  if (!text) return undefined
  const number = Number(text)
  const date = Number.isFinite(number)
    ? new Date(number > 1e11 ? number : number * 1000)
    : new Date(text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The first text that says something; CI services set variables to nothing. */
export function firstText(...texts: (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== '')
}

/** The short name of `refs/heads/main`, `refs/tags/v1` or `origin/main`. */
export function shortRef(ref: string | undefined): string | undefined {
  return firstText(ref?.replace(/^refs\/(heads|tags|remotes\/origin)\//, '').replace(/^origin\//, ''))
}

/** `a/b/c` from parts that may be missing; undefined unless all are there. */
export function joined(...parts: (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined && part !== '')
  return known.length === parts.length ? known.map((part) => part?.replace(/\/+$/, '')).join('/') : undefined
}
