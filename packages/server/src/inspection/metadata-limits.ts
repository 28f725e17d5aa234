export const maxControlFields = 200
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
