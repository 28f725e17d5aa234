/** A repository as people link to it: web address without credentials, name and host slug. */
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

// Self-hosted services are usually called what they are: gitlab.example.com.
const hostsByWord: [RegExp, string][] = [
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

/** Reads a clone address (https, ssh, `git@host:owner/name.git`); credentials never survive. */
export function readRepository(address: string | undefined): Repository {
  if (!address) return {}
  const scp = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/)(.+)$/.exec(address)
  const [, host = '', path = ''] = scp ?? []
  // One letter is a drive of Windows.
  if (host.length > 1 && !address.includes('://')) return linked(host, path)
  try {
    const url = new URL(address)
    if (!['http:', 'https:', 'ssh:', 'git:', 'git+ssh:'].includes(url.protocol) || !url.hostname) return {}
    const web = url.protocol.startsWith('http')
    return linked(url.hostname, url.pathname, web ? url.protocol : 'https:', web ? url.port : '')
  } catch {
    return {}
  }
}

function linked(hostname: string, rawPath: string, protocol = 'https:', port = ''): Repository {
  const path = rawPath.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  const host = vcHost(hostname)
  const name = host === 'azure-repos' ? (path.split('/').at(-1) ?? path) : path
  const web =
    host === 'azure-repos' ? azureWebPath(hostname, path) : `${hostname}${port ? `:${port}` : ''}/${path}`
  return { url: `${protocol}//${web}`, ...(name ? { name } : {}), ...(host ? { host } : {}) }
}

// ssh addresses are v3/organisation/project/repository.
function azureWebPath(hostname: string, path: string): string {
  const ssh = /^v3\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path)
  return ssh ? `dev.azure.com/${ssh[1]}/${ssh[2]}/_git/${ssh[3]}` : `${hostname}/${path}`
}

/** The host slug of a server name, undefined when it says nothing. */
export function vcHost(hostname: string): string | undefined {
  const name = hostname.toLowerCase()
  return hostsByName[name] ?? hostsByWord.find(([pattern]) => pattern.test(name))?.[1]
}

/** The page of a commit, for hosts whose addresses are known. */
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
