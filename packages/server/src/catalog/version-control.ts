import { indexByIdentifier, namedEntries } from './named-entries.ts'

/** The version control systems, which are the values of `vc_host_type` in an upload request. */
export const versionControlTypes = namedEntries({
  git: 'Git',
  svn: 'SVN',
  hg: 'Mercurial',
  perforce: 'Perforce',
  bzr: 'Bazaar',
  fossil: 'Fossil',
  darcs: 'Darcs',
  cvs: 'CVS',
  monotone: 'Monotone',
  diversion: 'Diversion',
  'unity-vc': 'Unity Version Control',
  lore: 'Lore',
})

const typesByIdentifier = indexByIdentifier(versionControlTypes)

export const isVersionControlType = (slug: string): boolean => typesByIdentifier.has(slug)

/** The repository hosting services, which are the values of `vc_host` in an upload request. */
export const versionControlHosts = namedEntries({
  github: 'GitHub',
  gitlab: 'GitLab',
  'gitlab-self': 'GitLab Self-Hosted',
  perforce: 'Perforce',
  bitbucket: 'Bitbucket',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
  gogs: 'Gogs',
  codeberg: 'Codeberg',
  sourceforge: 'SourceForge',
  sourcehut: 'SourceHut',
  rhodecode: 'RhodeCode',
  'unity-vc': 'Unity Version Control',
  'aws-codecommit': 'AWS CodeCommit',
  'azure-repos': 'Azure Repos',
  beanstalk: 'Beanstalk',
  assembla: 'Assembla',
  codebase: 'Codebase',
  'bonobo-git': 'Bonobo Git Server',
  phabricator: 'Phabricator',
  launchpad: 'Launchpad',
  onedev: 'OneDev',
  diversion: 'Diversion',
  tangled: 'Tangled',
  gitee: 'Gitee',
  allura: 'Apache Allura',
  tuleap: 'Tuleap',
  trac: 'Trac Self-Hosted',
  pagure: 'Fedora Pagure',
  'savanah-gnu': 'Savanah GNU',
  'savanah-non-gnu': 'Savanah Non-GNU',
  redmine: 'Redmine Self-Hosted',
  kallithea: 'Kallithea',
  cgit: 'cgit',
  'cgit-pink': 'cgit-pink',
  riouxsvn: 'RiouxSVN',
  sliksvn: 'SlikSVN',
  'project-locker': 'ProjectLocker',
})

const hostsByIdentifier = indexByIdentifier(versionControlHosts)

export const isVersionControlHost = (slug: string): boolean => hostsByIdentifier.has(slug)
