/** The fields of a control file or a `.PKGINFO`, which has a line for each dependency. */
export const maxPackageFields = 2000
export const maxRpmRelations = 20_000
export const maxDevices = 10_000
export const rpmRelationNames = [
  'provides',
  'requires',
  'conflicts',
  'obsoletes',
  'recommends',
  'suggests',
  'supplements',
  'enhances',
] as const
