import { isCut, withoutCredentials } from '../../lib/reported-text.ts'

/** SSH host names of hosting services whose web pages are on a different host. */
const webHosts: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
}

/**
 * Hosting services whose web pages have the same path as their SSH addresses. Any other host is treated the same way if
 * the SSH user is in `hostingUsers`.
 */
const hostingServices = new Set(
  'github.com gitlab.com bitbucket.org codeberg.org gitea.com gitee.com git.sr.ht framagit.org salsa.debian.org gitlab.gnome.org invent.kde.org'.split(
    ' ',
  ),
)
const hostingUsers = new Set(['git', 'gitea', 'forgejo', 'gogs', 'gitlab'])

/**
 * Returns the http or https URL that a reported address should link to, or null if it should not be a link. Converts
 * the SSH address of a hosting service, such as `git@github.com:acme/app.git`, to the URL of its web page. Paths, file
 * names, other schemes and arbitrary text do not become links.
 */
export function webLink(reported: string | null): string | null {
  if (reported === null || isCut(reported)) return null
  const text = withoutCredentials(reported.trim()).replace(/^git\+(?=https?:|ssh:)/i, '')
  if (/^https?:\/\/[^/\\]/i.test(text)) return hrefOf(withoutGitSuffixInside(text))
  const remote = readRemote(text)
  return remote === undefined ? null : linkOfRemote(remote)
}

type Remote = { user: string; host: string; port: string; path: string }

/** Parses `ssh://user@host:port/path`, `git://host/path`, `user@host:path` and `github.com/owner/repository`. */
function readRemote(text: string): Remote | undefined {
  const url =
    /^(?:ssh|git|git\+ssh|ssh\+git):\/\/(?:([^\s/@:]+)@)?([\w.-]+)(?::(\d{1,5}))?\/+([^\s?#]+)$/i.exec(text)
  const [, urlUser = '', urlHost = '', port = '', urlPath = ''] = url ?? []
  if (url !== null) {
    const isGitProtocol = /^git:/i.test(text)
    return { user: isGitProtocol ? 'git' : urlUser, host: urlHost.toLowerCase(), port, path: urlPath }
  }
  const [, user, host, path] = /^([^\s/@:]+)@([\w.-]+):([^\s/?#~][^\s?#]*)$/.exec(text) ?? []
  if (user !== undefined && host !== undefined && path !== undefined)
    return { user, host: host.toLowerCase(), port: '', path }
  const [, bareHost = '', barePath = ''] = /^([\w.-]+)\/([^\s?#]+)$/.exec(text) ?? []
  if (!hostingServices.has(bareHost.toLowerCase())) return undefined
  return { user: '', host: bareHost.toLowerCase(), port: '', path: barePath }
}

function linkOfRemote({ user, host, port, path: given }: Remote): string | null {
  const path = withoutGitSuffixInside(given)
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
  const azure = /^v3\/([^/]+)\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path)
  if (azure !== null) {
    const [, organization = '', project = '', repository = '', rest = ''] = azure
    if (host === 'ssh.dev.azure.com')
      return hrefOf(`https://dev.azure.com/${organization}/${project}/_git/${repository}${rest}`)
    if (host === 'vs-ssh.visualstudio.com')
      return hrefOf(`https://${organization}.visualstudio.com/${project}/_git/${repository}${rest}`)
    return null
  }
  const webHost = webHosts[host] ?? host
  if (!hostingServices.has(webHost) && !(hostingUsers.has(user.toLowerCase()) && isDomainName(webHost)))
    return null
  // Bitbucket Data Center uses a separate port for SSH and different paths for the web.
  const dataCenter = port === '7999' ? /^(~?)([^/]+)\/([^/]+)(\/.*)?$/.exec(path) : null
  if (dataCenter !== null) {
    const [, tilde, owner = '', repository = '', rest = '/browse'] = dataCenter
    const kind = tilde === '~' ? 'users' : 'projects'
    return hrefOf(
      `https://${webHost}/${kind}/${owner}/repos/${repository}${rest.replace('/commit/', '/commits/')}`,
    )
  }
  const segments = path.split('/')
  if (segments.length < 2 || segments.some((segment) => ['', '.', '..'].includes(segment))) return null
  const page = webHost === 'bitbucket.org' ? path.replace(/^([^/]+\/[^/]+)\/commit\//, '$1/commits/') : path
  return hrefOf(`https://${webHost}/${page}`)
}

/**
 * Removes `.git` before paths such as `/commit/<sha>`, which Jenkins appends to the clone URL, because the web pages of
 * a repository have no `.git` in their URLs.
 */
const withoutGitSuffixInside = (text: string): string =>
  text.replace(/\.git(\/(?:-\/)?(?:commits?|tree|src)\/)/i, '$1')

const isDomainName = (host: string): boolean =>
  /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/.test(host)

function hrefOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return null
  // Each assignment makes the URL parse its text again, so needless assignments are skipped.
  if (url.username !== '') url.username = ''
  if (url.password !== '') url.password = ''
  return url.href
}
