import { Type } from 'typebox'
import { identifiersPattern, versionSortKey, type Version } from '../../lib/semver.ts'
import { Nullable } from './fields.ts'
import { invalid } from './validation.ts'

const range = { minimum: 0, maximum: 9999 }

const versionNumbers = {
  version_component_1_major: Type.Integer({
    ...range,
    description:
      'Returned as `version_semantic_major`. At least one of the three version numbers must be above 0.',
  }),
  version_component_2_minor: Type.Integer({ ...range, description: 'Returned as `version_semantic_minor`.' }),
  version_component_3_patch: Type.Integer({ ...range, description: 'Returned as `version_semantic_patch`.' }),
}

type Identifiers = { kind: string; example: string; maxLength: number; returnedAs: string }

const identifiers = (pattern: string, { kind, example, maxLength, returnedAs }: Identifiers) =>
  Type.String({
    maxLength,
    pattern,
    description: `SemVer ${kind} identifiers such as ${example}. Returned as \`${returnedAs}\`.`,
    patternMessage: `must be SemVer ${kind} identifiers such as "${example}".`,
    takesNumbers: true,
    examples: [example],
  })
const prerelease = (pattern: string) =>
  identifiers(pattern, {
    kind: 'pre-release',
    example: 'beta.2',
    maxLength: 25,
    returnedAs: 'version_semantic_extra',
  })
const buildMetadata = (pattern: string) =>
  identifiers(pattern, {
    kind: 'build',
    example: 'build.7',
    maxLength: 64,
    returnedAs: 'version_semantic_meta',
  })
// Like null, an empty string removes the part.
const identifiersOrEmpty = `^$|${identifiersPattern}`

/** The request fields for the parts of a version. null removes an optional part. */
export const versionParts = {
  ...versionNumbers,
  version_component_extra: Nullable(prerelease(identifiersOrEmpty)),
  version_component_meta: Nullable(buildMetadata(identifiersOrEmpty)),
}

/** The version fields for a lenient body, from which empty strings and nulls are dropped before validation. */
export const lenientVersionParts = {
  ...versionNumbers,
  version_component_extra: Type.Optional(prerelease(identifiersPattern)),
  version_component_meta: Type.Optional(buildMetadata(identifiersPattern)),
}

export type VersionColumns = {
  version_major: number
  version_minor: number
  version_patch: number
  version_extra: string | null
  version_meta: string | null
}

/** Returns the version in these columns. */
export const versionOf = (columns: VersionColumns): Version => ({
  major: columns.version_major,
  minor: columns.version_minor,
  patch: columns.version_patch,
  extra: columns.version_extra,
  meta: columns.version_meta,
})

type NumberInput = Partial<Record<keyof typeof versionNumbers, number | undefined>>
type VersionInput = NumberInput & {
  version_component_extra?: string | null | undefined
  version_component_meta?: string | null | undefined
}

/**
 * Returns the version columns, in which the input replaces the parts of the current version. Throws `invalid` for
 * version 0.0.0.
 */
export function versionColumns(input: VersionInput, current?: VersionColumns) {
  const { version_component_extra: extra, version_component_meta: meta } = input
  const columns: VersionColumns = {
    version_major: input.version_component_1_major ?? current?.version_major ?? 0,
    version_minor: input.version_component_2_minor ?? current?.version_minor ?? 0,
    version_patch: input.version_component_3_patch ?? current?.version_patch ?? 0,
    version_extra: extra === undefined ? (current?.version_extra ?? null) : extra || null,
    version_meta: meta === undefined ? (current?.version_meta ?? null) : meta || null,
  }
  const errors = zeroVersionErrors(input, current)
  if (errors !== undefined) throw invalid(errors)
  return { ...columns, version_sort: versionSortKey(versionOf(columns)) }
}

const numberFields = [
  ['version_component_1_major', 'version_major'],
  ['version_component_2_minor', 'version_minor'],
  ['version_component_3_patch', 'version_patch'],
] as const

/**
 * Returns an error for version 0.0.0, keyed by the first field that the input sets to 0, or undefined for any other
 * version.
 */
export function zeroVersionErrors(
  input: NumberInput,
  current?: VersionColumns,
): Record<string, string[]> | undefined {
  if (numberFields.some(([field, column]) => (input[field] ?? current?.[column] ?? 0) > 0)) return undefined
  const [field] = numberFields.find(([name]) => input[name] === 0) ?? numberFields[0]
  return { [field]: ['must not be 0 if the other version numbers are 0.'] }
}
