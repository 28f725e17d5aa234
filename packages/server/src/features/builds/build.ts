import { Type, type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { completeJson } from '../../database/json-text.ts'
import type { Executor } from '../../database/transaction.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { KeptBy, keptBy } from '../../http/endpoint/kept-by.ts'
import { versionOf, type VersionColumns } from '../../http/endpoint/version-parts.ts'
import { AndroidInfo, IosInfo, PackageInfo } from '../../inspection/inspection-schema.ts'
import { unknownPackage } from '../../inspection/inspection.ts'
import { notFound } from '../../lib/problem.ts'
import { formatVersion, formatVersionShort } from '../../lib/semver.ts'
import { listMetadataArtifactsOfBuilds } from './artifacts/metadata-artifact.db.ts'
import { MetadataArtifact, metadataArtifactResource } from './artifacts/metadata-artifact.ts'
import { buildFields, type Build, type Processing } from './build-fields.ts'
import { listBuildsByIds, listKeepersOfBuilds, requireBuild, type BuildRow } from './build.db.ts'
import { listFilesOfBuilds } from './files/file.db.ts'
import { File, fileResource, filesByRole } from './files/file.ts'

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

export const processingOf = ({ processing }: BuildRow) => processing as Static<typeof Processing>

export const buildResource = ({ resource }: Pick<BuildRow, 'resource'>, config: Config) =>
  JSON.parse(completeJson(resource, config)) as Static<typeof Build>

/**
 * Returns the build with its files and artifacts, as included in single-build responses and events; throws 404 if it
 * does not exist or is in the trash.
 */
export async function requireFullBuild(
  db: Executor,
  applicationId: string,
  id: string,
  config: Config,
): Promise<FullBuild> {
  const [build] = await fullBuilds(db, [await requireBuild(db, applicationId, id)], config)
  if (build === undefined) throw notFound()
  return build
}

/**
 * Returns the full builds with these IDs that are not in the trash. Runs four statements, regardless of the number of
 * builds.
 */
export async function listFullBuilds(db: Executor, ids: string[], config: Config): Promise<FullBuild[]> {
  return fullBuilds(db, await listBuildsByIds(db, ids), config)
}

async function fullBuilds(db: Executor, rows: BuildRow[], config: Config): Promise<FullBuild[]> {
  const builds = await withFiles(db, rows, config)
  const keepers = await listKeepersOfBuilds(
    db,
    rows.map(({ id }) => id),
  )
  return builds.map((build) => ({ ...build, kept_by: keptBy(keepers.get(build.id)) }))
}

/** Returns the builds with their files and artifacts. */
export async function withFiles(db: Executor, rows: BuildRow[], config: Config) {
  const ids = rows.map(({ id }) => id)
  const files = Map.groupBy(await listFilesOfBuilds(db, ids), ({ build_id }) => build_id)
  const artifacts = Map.groupBy(await listMetadataArtifactsOfBuilds(db, ids), ({ build_id }) => build_id)
  return rows.map((row) => {
    const { primary, expansions } = filesByRole(row.id, files.get(row.id) ?? [])
    return {
      ...buildResource(row, config),
      application_id: row.application_id,
      workspace_id: row.workspace_id,
      primary_file: fileResource(primary),
      expansion_files: expansions.map(fileResource),
      metadata_artifacts: (artifacts.get(row.id) ?? []).map(metadataArtifactResource),
      ios_info: row.ios_info as FullBuild['ios_info'],
      android_info: row.android_info as FullBuild['android_info'],
      file_info: fileInfoOf(row),
    }
  })
}

/** Returns the metadata of the primary file. Fields that an earlier version did not read are null or empty. */
const fileInfoOf = ({ file_info: info }: BuildRow): FullBuild['file_info'] =>
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
