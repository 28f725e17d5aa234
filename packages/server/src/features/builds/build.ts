import { Type, type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { completeJson } from '../../database/json-text.ts'
import { trashFields } from '../../events/trash-state.ts'
import { Nullable, SizeBytes, Timestamp } from '../../http/endpoint/fields.ts'
import { KeptBy } from '../../http/endpoint/kept-by.ts'
import { versionOf, type VersionColumns } from '../../http/endpoint/version-parts.ts'
import { AndroidInfo, IosInfo, PackageInfo } from '../../inspection/inspection-schema.ts'
import { unknownPackage } from '../../inspection/inspection.ts'
import { formatVersion, formatVersionShort } from '../../lib/semver.ts'
import { CustomTarget } from '../custom-targets/custom-target.ts'
import { Label } from '../labels/label.ts'
import { Architecture, Platform } from '../platforms/platform.ts'
import { Stream } from '../streams/stream.ts'
import { MetadataArtifact } from './artifacts/metadata-artifact.ts'
import { originFields } from './build-origin.ts'
import { File } from './files/file.ts'
import { processingStates } from './inspection/build-inspection.db.ts'

const text = Nullable(Type.String())

export const versionFields = {
  version: Type.String({ description: 'Full semantic version.' }),
  version_short: Type.String({ description: 'Version in the format `major.minor.patch`.' }),
  version_semantic_major: Type.Integer(),
  version_semantic_minor: Type.Integer(),
  version_semantic_patch: Type.Integer(),
  version_semantic_extra: text,
  version_semantic_meta: text,
}

export const Processing = Type.Enum([...processingStates], {
  title: 'Processing',
  description:
    'State of reading metadata from the primary file. `none`: files of this type are not read. `queued`: the file will be read. `waiting`: the file of a mobile build (.ipa, .apk, .aab) will be read, and `pending_processing` is `true`. `done`: the file has been read; fields that it does not contain are `null`. `failed`: the file could not be read, and `processing_error` says why. The build can be downloaded in every state.',
})

const buildFields = {
  id: Type.String(),
  build_structure: Type.Enum(['file', 'file+expansion']),
  ...versionFields,
  build_number: text,
  platform: Platform,
  stream: Stream,
  custom_target: Nullable(CustomTarget),
  labels: Type.Array(Label),
  architectures: Type.Array(Architecture),
  notes: text,
  size_total_bytes: SizeBytes,
  size_total_string: Type.String(),
  metadata_total_bytes: SizeBytes,
  reused_bytes: Type.Integer({
    description: 'Part of `size_total_bytes` that was taken from earlier builds instead of being sent.',
  }),
  build_source: Type.String(),
  ...originFields,
  icon_url: Nullable(Type.String({ description: 'URL of the icon extracted from the primary file.' })),
  pending: Type.Boolean(),
  pending_processing: Type.Boolean({
    description:
      'Whether metadata is still being read from the primary file of a mobile build (`processing` is `waiting`).',
  }),
  processing: Processing,
  processing_error: Nullable(
    Type.String({
      description:
        'The reason why no metadata could be read from the primary file; `null` unless `processing` is `failed`. The build can still be downloaded.',
    }),
  ),
  keep_forever: Type.Boolean(),
  expires_at: Nullable(Timestamp),
  modal_url: Type.String(),
  download_url: Type.String({
    description:
      'URL that returns download links; requires an API key. Replace the final `/download` with `/file` to be redirected to the primary file.',
  }),
  built_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Build = Type.Object(buildFields, { title: 'Build' })

export const ListedBuild = Type.Object({ ...buildFields, ...trashFields }, { title: 'ListedBuild' })

const fileFields = {
  application_id: Type.String(),
  workspace_id: Type.String(),
  primary_file: File,
  expansion_files: Type.Array(File),
  metadata_artifacts: Type.Array(MetadataArtifact),
  ios_info: Nullable(IosInfo),
  android_info: Nullable(AndroidInfo),
  file_info: Nullable(PackageInfo),
}

export const FullBuild = Type.Object(
  {
    ...buildFields,
    ...fileFields,
    kept_by: Type.Array(KeptBy, {
      description:
        'What exempts the build from retention. A release or a usable share link also prevents its deletion without `force`.',
    }),
  },
  { title: 'FullBuild' },
)
export type FullBuild = Static<typeof FullBuild>

declare module '../../events/catalogue.ts' {
  interface EventResources {
    build: FullBuild
    stream: FullBuild['stream']
    label: FullBuild['labels'][number]
  }
}

/** Returns the URL of the build's page in the console. */
export const consoleUrl = ({ publicUrl }: Config, applicationId: string, buildId: string): string =>
  `${publicUrl}/applications/${applicationId}/builds/${buildId}`

export const downloadUrl = ({ publicUrl }: Config, applicationId: string, buildId: string): string =>
  `${publicUrl}/api/v1/applications/${applicationId}/builds/${buildId}/download`

export function versionResource(row: VersionColumns) {
  const version = versionOf(row)
  return {
    version: formatVersion(version),
    version_short: formatVersionShort(version),
    version_semantic_major: version.major,
    version_semantic_minor: version.minor,
    version_semantic_patch: version.patch,
    version_semantic_extra: version.extra,
    version_semantic_meta: version.meta,
  }
}

/** Returns the version of a build and its build number, such as `1.4.0 (88)`. */
export function versionWithNumber(row: VersionColumns & { build_number: string | null }): string {
  const version = formatVersion(versionOf(row))
  return row.build_number === null ? version : `${version} (${row.build_number})`
}

export const processingOf = ({ processing }: { processing: string }) =>
  processing as Static<typeof Processing>

export const buildResource = ({ resource }: { resource: string }, config: Config) =>
  JSON.parse(completeJson(resource, config)) as Static<typeof Build>

/** Returns the metadata of the primary file. Fields that an earlier version did not read are null or empty. */
export const fileInfoOf = ({ file_info: info }: { file_info: unknown }): FullBuild['file_info'] =>
  info === null ? null : { ...unknownPackage, ...(info as NonNullable<FullBuild['file_info']>) }

/** Returns the attributes of a build that the audit log records. */
export const buildAuditSnapshot = (build: Static<typeof Build>) => ({
  version: build.version,
  build_number: build.build_number,
  notes: build.notes,
  stream: build.stream.name,
  labels: build.labels.map(({ name }) => name),
  architectures: build.architectures.map(({ identifier }) => identifier),
  custom_target: build.custom_target?.name ?? null,
  keep_forever: build.keep_forever,
})
