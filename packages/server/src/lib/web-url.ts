/** True for absolute http and https URLs: others (javascript:, data:, file:) must never become a link. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** The web address of a repository; `git@host:path.git` and `ssh://git@host/path` are what CI systems know it by. */
export function repositoryWebUrl(text: string): string | undefined {
  if (isWebUrl(text)) return text
  const remote = /^(?:(?:ssh|git):\/\/)?(?:[\w.-]+@)?([\w.-]+)(?::\d+\/|[:/])([^\s:]+?)(?:\.git)?\/?$/i.exec(
    text,
  )
  if (remote === null || text.includes('://') !== /^(ssh|git):\/\//i.test(text)) return undefined
  if (!text.includes('://') && !text.includes('@')) return undefined
  const url = `https://${remote[1]}/${remote[2]}`
  return URL.canParse(url) ? url : undefined
}
