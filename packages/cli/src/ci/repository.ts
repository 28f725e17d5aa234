/** A repository: web URL without credentials, name and host slug. */
export type Repository = { url?: string; name?: string; host?: string }

const hostsByName: Record<string, string> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'codeberg.org': 'codeberg',
  'git.sr.ht': 'sourcehut',
  'hg.sr.ht': 'sourcehut',
  'gitee.com': 'gitee',
  'dev.azure.com': 'azure-repos',
  'ssh.dev.azure.com': 'azure-repos',
  'git.launchpad.net': 'launchpad',
  'pagure.io': 'pagure',
  'src.fedoraproject.org': 'pagure',
  'git.savannah.gnu.org': 'savanah-gnu',
  'git.savannah.nongnu.org': 'savanah-non-gnu',
  'git.code.sf.net': 'sourceforge',
  'git.assembla.com': 'assembla',
  'tangled.sh': 'tangled',
  'tangled.org': 'tangled',
}

// The host name of a self-hosted service often contains the product name, as in gitlab.example.com.
const hostsByPattern: [RegExp, string][] = [
  [/(^|\.)visualstudio\.com$/, 'azure-repos'],
  [/^git-codecommit\./, 'aws-codecommit'],
  [/\.beanstalkapp\.com$/, 'beanstalk'],
  [/\.codebasehq\.com$/, 'codebase'],
  [/gitlab/, 'gitlab-self'],
  [/github/, 'github'],
  [/bitbucket|stash/, 'bitbucket'],
  [/forgejo/, 'forgejo'],
  [/gitea/, 'gitea'],
  [/gogs/, 'gogs'],
  [/onedev/, 'onedev'],
  [/phabricator/, 'phabricator'],
  [/rhodecode/, 'rhodecode'],
  [/kallithea/, 'kallithea'],
  [/redmine/, 'redmine'],
  [/tuleap/, 'tuleap'],
  [/cgit/, 'cgit'],
]

/** Parses a clone URL (https, ssh or `git@host:owner/name.git`) and removes its credentials. */
export function parseRepository(address: string | undefined): Repository {
  if (!address) return {}
  const scp = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/)(.+)$/.exec(address)
  const [, host = '', path = ''] = scp ?? []
  // A single letter before the colon is a Windows drive letter.
  if (host.length > 1 && !address.includes('://')) return toRepository(host, path)
  try {
    const url = new URL(address)
    if (!['http:', 'https:', 'ssh:', 'git:', 'git+ssh:'].includes(url.protocol) || !url.hostname) return {}
    const web = url.protocol.startsWith('http')
    return toRepository(url.hostname, url.pathname, web ? url.protocol : 'https:', web ? url.port : '')
  } catch {
    return {}
  }
}

function toRepository(hostname: string, rawPath: string, protocol = 'https:', port = ''): Repository {
  const path = rawPath.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  const host = hostSlug(hostname)
  const name = host === 'azure-repos' ? (path.split('/').at(-1) ?? path) : path
  const web =
    host === 'azure-repos' ? azureWebPath(hostname, path) : `${hostname}${port ? `:${port}` : ''}/${path}`
  return { url: `${protocol}//${web}`, ...(name ? { name } : {}), ...(host ? { host } : {}) }
}

// The path of an Azure SSH URL is v3/<organization>/<project>/<repository>.
function azureWebPath(hostname: string, path: string): string {
  const ssh = /^v3\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path)
  return ssh ? `dev.azure.com/${ssh[1]}/${ssh[2]}/_git/${ssh[3]}` : `${hostname}/${path}`
}

/** Returns the slug of the hosting service with this host name, or undefined if the service is unknown. */
export function hostSlug(hostname: string): string | undefined {
  const name = hostname.toLowerCase()
  return hostsByName[name] ?? hostsByPattern.find(([pattern]) => pattern.test(name))?.[1]
}

/** Returns the web URL of a commit, or undefined if the host's URL format is unknown. */
export function commitUrl(repository: Repository, commit: string | undefined): string | undefined {
  if (!commit || !repository.url || !repository.host) return undefined
  const paths: Record<string, string> = {
    github: 'commit',
    gitlab: '-/commit',
    'gitlab-self': '-/commit',
    bitbucket: 'commits',
    gitea: 'commit',
    forgejo: 'commit',
    gogs: 'commit',
    codeberg: 'commit',
    gitee: 'commit',
    sourcehut: 'commit',
    'azure-repos': 'commit',
  }
  const path = paths[repository.host]
  return path && `${repository.url}/${path}/${commit}`
}
