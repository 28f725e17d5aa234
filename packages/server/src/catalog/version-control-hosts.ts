import { indexByIdentifier, namedEntries } from './named-entries.ts'

/** Where repositories live: the values of `vc_host` in an upload request. */
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

const byIdentifier = indexByIdentifier(versionControlHosts)

export const isVersionControlHost = (slug: string): boolean => byIdentifier.has(slug)
