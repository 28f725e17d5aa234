/** Returns true for absolute http and https URLs; other URLs (javascript:, data:, file:) must never become links. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/**
 * Returns a CI link without its user name and password, in which CI systems leave tokens. Returns `null` for a path
 * such as `job/app/12/`, which Jenkins sends until its own URL is configured, and undefined for anything else.
 */
export function ciLinkUrl(text: string): string | null | undefined {
  if (isWebUrl(text)) return withoutCredentials(text)
  return /^(?!\/\/)[^\s:]*\/[^\s:]*$/.test(text) ? null : undefined
}

/**
 * Returns the web URL of a repository, also for `git@host:path.git` and `ssh://git@host/path` as CI systems report it.
 * Returns `null` for addresses of other version control systems, which have no web page, and undefined for anything else.
 */
export function repositoryWebUrl(text: string): string | null | undefined {
  if (isWebUrl(text)) return withoutCredentials(text)
  if (isOtherRepository(text)) return null
  const remote = /^(?:(?:ssh|git):\/\/)?(?:[\w.-]+@)?([\w.-]+)(?::\d+\/|[:/])([^\s:]+?)(?:\.git)?\/?$/i.exec(
    text,
  )
  if (remote === null || text.includes('://') !== /^(ssh|git):\/\//i.test(text)) return undefined
  if (!text.includes('://') && !text.includes('@')) return undefined
  const url = `https://${remote[1]}/${remote[2]}`
  return URL.canParse(url) ? url : undefined
}

/** Recognizes Subversion, Perforce (a port, a depot, or both), Mercurial, Bazaar, CVS, Unity and Fossil addresses. */
const isOtherRepository = (text: string): boolean =>
  /^(svn(\+ssh)?|perforce|p4|hg|bzr(\+\w+)?|lp|cvs|plastic|diversion|fossil):\/{0,2}[^\s/]/i.test(text) ||
  /^((ssl|tcp)[46]?:)?([\w.-]+:\d{1,5}\/?)?\/\/[\w.-]+(\/\S*)?$/i.test(text) ||
  /^:(pserver|ext):\S+$/.test(text)

function withoutCredentials(text: string): string {
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  url.username = ''
  url.password = ''
  return url.href
}
