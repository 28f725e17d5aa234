import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import type { Config } from '../../config/config.ts'
import type { Executor } from '../../database/transaction.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { name, Nullable, PathId, text, Timestamp, segmentName } from '../../http/endpoint/fields.ts'
import { futureTime } from '../../http/endpoint/future-time.ts'
import { versionParts } from '../../http/endpoint/version-parts.ts'
import { Build, buildResource, versionFields, versionResource } from '../builds/build.ts'
import { Label } from '../labels/label.ts'
import { Platform } from '../platforms/platform.ts'
import { listBuildsOfReleases, listReleasesByIds, requireRelease, type ReleaseRow } from './release.db.ts'

export const maxReleaseBuilds = 100

export const releaseStatuses = ['draft', 'scheduled', 'published', 'withdrawn'] as const

export const ReleaseStatus = Type.Enum([...releaseStatuses], {
  title: 'ReleaseStatus',
  description: 'Only `published` releases are visible through share links, distribution groups and portals.',
})
export type ReleaseStatus = Static<typeof ReleaseStatus>

export const isReleaseStatus = (text: string): text is ReleaseStatus =>
  (releaseStatuses as readonly string[]).includes(text)

const timestamp = (description: string) => Nullable(Type.String({ ...Timestamp, description }))

const fields = {
  id: Type.String(),
  ...versionFields,
  title: Type.String(),
  labels: Type.Array(Label),
  build_count: Type.Integer({ description: 'Builds in the trash are not counted.' }),
  platforms: Type.Array(Platform, { description: 'Platforms of its builds, except those in the trash.' }),
  status: ReleaseStatus,
  published_at: timestamp('Time of the latest publication; `null` if the release has never been published.'),
  scheduled_for: timestamp(
    'Time at which the release is published automatically; `null` unless `status` is `scheduled`.',
  ),
  withdrawn_at: timestamp('Time at which the release was withdrawn; `null` unless `status` is `withdrawn`.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Release = Type.Object(fields, { title: 'Release' })

export const FullRelease = Type.Object(
  {
    ...fields,
    notes: Nullable(Type.String({ description: 'Release notes in Markdown.' })),
    builds: Type.Array(Build),
    application_id: Type.String(),
    workspace_id: Type.String(),
  },
  { title: 'FullRelease' },
)
export type FullRelease = Static<typeof FullRelease>

// Builds are omitted because they have their own entries in the changes feed.
export const ChangedRelease = Type.Object(
  {
    ...fields,
    notes: Nullable(Type.String({ description: 'Release notes in Markdown.' })),
    build_ids: Type.Array(Type.String(), { description: 'IDs of its builds, except those in the trash.' }),
    application_id: Type.String(),
    workspace_id: Type.String(),
  },
  { title: 'ChangedRelease' },
)

declare module '../../events/catalogue.ts' {
  interface EventResources {
    release: FullRelease
  }
}

export const ReleaseId = PathId('ID of the release.')

export const ReleaseLabels = Type.Array(
  segmentName(50, 'ID or name of a label. A label that does not exist yet is created.'),
  {
    maxItems: 10,
  },
)

export const ReleaseBuildIds = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: maxReleaseBuilds,
  uniqueItems: true,
  description: 'IDs of builds of the application.',
})

const input = {
  title: name(200, 'Title shown to users.'),
  notes: Nullable(text(20_000, 'Markdown.')),
  labels: ReleaseLabels,
  ...versionParts,
}

export const NewRelease = Type.Object({
  title: input.title,
  notes: Type.Optional(input.notes),
  labels: Type.Optional(input.labels),
  build_ids: Type.Optional(ReleaseBuildIds),
  version_component_1_major: input.version_component_1_major,
  version_component_2_minor: input.version_component_2_minor,
  version_component_3_patch: input.version_component_3_patch,
  version_component_extra: Type.Optional(input.version_component_extra),
  version_component_meta: Type.Optional(input.version_component_meta),
  draft: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to create a draft instead of publishing the release.',
    }),
  ),
  scheduled_for: Type.Optional(
    Nullable(
      futureTime(
        'Time at which the release is published automatically: an ISO 8601 timestamp within the next 100 years. Not allowed for a draft.',
      ),
    ),
  ),
})

export const ReleaseSchedule = Type.Object({
  scheduled_for: futureTime(
    'Time at which the release is published: an ISO 8601 timestamp within the next 100 years.',
  ),
})

export const ReleaseChanges = changesOf(input)

export function releaseResource(row: ReleaseRow): Static<typeof Release> {
  const { id, title, labels, build_count, published_at, scheduled_for, withdrawn_at } = row
  return {
    id,
    ...versionResource(row),
    title,
    labels,
    build_count,
    platforms: row.platforms.map(platformResource),
    status: row.status as ReleaseStatus,
    published_at,
    scheduled_for,
    withdrawn_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Returns the application's releases that have these IDs, in the format of the changes feed. */
export async function listChangedReleases(
  db: Executor,
  applicationId: string,
  ids: string[],
): Promise<Static<typeof ChangedRelease>[]> {
  if (ids.length === 0) return []
  const rows = await listReleasesByIds(db, applicationId, ids)
  return rows.map((row) => {
    const { notes, build_ids, application_id, workspace_id } = row
    return { ...releaseResource(row), notes, build_ids, application_id, workspace_id }
  })
}

/**
 * Returns the release with its notes and builds, as included in single-release responses and events; throws 404 if it
 * does not exist.
 */
export async function requireFullRelease(
  db: Executor,
  applicationId: string,
  id: string,
  config: Config,
): Promise<FullRelease> {
  const row = await requireRelease(db, applicationId, id)
  return fullReleaseResource(row, await listBuildsOfReleases(db, [id]), config)
}

/** Returns the release with those of the builds that belong to it. */
export function fullReleaseResource(
  row: ReleaseRow,
  builds: Awaited<ReturnType<typeof listBuildsOfReleases>>,
  config: Config,
): FullRelease {
  return {
    ...releaseResource(row),
    notes: row.notes,
    builds: builds
      .filter(({ release_id }) => release_id === row.id)
      .map((build) => buildResource(build, config)),
    application_id: row.application_id,
    workspace_id: row.workspace_id,
  }
}

/** Returns the fields of a release that the audit log records. */
export const releaseAuditSnapshot = ({
  version,
  title,
  status,
  scheduled_for,
  notes,
  labels,
  builds,
}: FullRelease) => ({
  version,
  title,
  status,
  scheduled_for,
  notes,
  labels: labels.map((label) => label.name),
  builds: builds.map(({ id }) => id),
})
