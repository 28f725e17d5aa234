import { indexByIdentifier, namedEntries } from './named-entries.ts'

/** Version control systems: the values of `vc_host_type` in an upload request. */
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

const byIdentifier = indexByIdentifier(versionControlTypes)

export const isVersionControlType = (slug: string): boolean => byIdentifier.has(slug)
