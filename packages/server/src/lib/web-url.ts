/** True for absolute http and https URLs: others (javascript:, data:, file:) must never become a link. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/**
 * Where a link about a build leads, without user name and password: CI systems leave tokens there. `null` for a path
 * such as `job/app/12/`, which is what Jenkins knows of itself before it is told its address; undefined for all else.
 */
export function linkOfCi(text: string): string | null | undefined {
  if (isWebUrl(text)) return withoutCredentials(text)
  return /^(?!\/\/)[^\s:]*\/[^\s:]*$/.test(text) ? null : undefined
}

/**
 * The web address of a repository; `git@host:path.git` and `ssh://git@host/path` are what CI systems know it by. `null`
 * for the addresses of other version control systems, which no browser opens; undefined for what is no repository.
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

/** Subversion, Perforce (a port, a depot, or both), Mercurial, Bazaar, CVS, Unity. */
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
