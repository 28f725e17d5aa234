/** Stands for a metadata artifact where the inspection of a primary file has its file type. */
export const artifactFiletype = 'metadata-artifact'

/** Formats of metadata artifacts that are recognized by their content. */
export const artifactFormats = [
  'apk_signature',
  'breakpad',
  'cobertura',
  'cyclonedx',
  'dsym',
  'elf_symbols',
  'junit',
  'native_symbols',
  'nunit',
  'pdb',
  'proguard_mapping',
  'r8_mapping',
  'sarif',
  'spdx',
  'trx',
] as const

export type ArtifactFormat = (typeof artifactFormats)[number]
