import { Type } from 'typebox'
import { buildMetadataPattern, prereleasePattern, versionSortKey } from '../lib/semver.ts'
import { Nullable } from './fields.ts'
import { invalid } from './validation.ts'

// "" is as good as null: it takes the part away
const orNothing = (pattern: string) => `^$|${pattern}`

const range = { minimum: 0, maximum: 9999 }
const part = Type.Integer(range)

/** The parts of a version as requests name them (contract 4.3). */
export const versionParts = {
  version_component_1_major: Type.Integer({
    ...range,
    description: 'At least one of the three version numbers is above 0.',
  }),
  version_component_2_minor: part,
  version_component_3_patch: part,
  version_component_extra: Nullable(
    Type.String({
      maxLength: 25,
      pattern: orNothing(prereleasePattern),
      description: 'SemVer pre-release identifiers such as beta.2.',
      patternMessage: 'must be SemVer pre-release identifiers such as "beta.2".',
      examples: ['beta.2'],
    }),
  ),
  version_component_meta: Nullable(
    Type.String({
      maxLength: 64,
      pattern: orNothing(buildMetadataPattern),
      description: 'SemVer build identifiers such as build.7.',
      patternMessage: 'must be SemVer build identifiers such as "build.7".',
      examples: ['build.7'],
    }),
  ),
}

export type VersionColumns = {
  version_major: number
  version_minor: number
  version_patch: number
  version_extra: string | null
  version_meta: string | null
}

type GivenParts = {
  version_component_1_major?: number | undefined
  version_component_2_minor?: number | undefined
  version_component_3_patch?: number | undefined
  version_component_extra?: string | null | undefined
  version_component_meta?: string | null | undefined
}

/** Columns of the version after the given parts are set; throws `invalid` for 0.0.0. */
export function versionColumns(given: GivenParts, before?: VersionColumns) {
  const { version_component_extra: extra, version_component_meta: meta } = given
  const columns: VersionColumns = {
    version_major: given.version_component_1_major ?? before?.version_major ?? 0,
    version_minor: given.version_component_2_minor ?? before?.version_minor ?? 0,
    version_patch: given.version_component_3_patch ?? before?.version_patch ?? 0,
    version_extra: extra === undefined ? (before?.version_extra ?? null) : extra || null,
    version_meta: meta === undefined ? (before?.version_meta ?? null) : meta || null,
  }
  const { version_major: major, version_minor: minor, version_patch: patch } = columns
  if (major + minor + patch === 0)
    throw invalid({ [zeroed(given)]: ['At least one of the three version numbers must be above 0.'] })
  const version = { major, minor, patch, extra: columns.version_extra, meta: columns.version_meta }
  return { ...columns, version_sort: versionSortKey(version) }
}

const numbers = [
  'version_component_1_major',
  'version_component_2_minor',
  'version_component_3_patch',
] as const

/** The given number that is to blame. */
const zeroed = (given: GivenParts) => numbers.find((field) => given[field] === 0) ?? numbers[0]
