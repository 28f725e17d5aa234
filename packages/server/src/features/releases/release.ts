import { Type, type Static } from 'typebox'
import type { Config } from '../../config.ts'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, PathId, text, Timestamp } from '../../http/fields.ts'
import { versionParts } from '../../http/version-parts.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { Build, buildResource, versionFields, versionResource } from '../builds/build.ts'
import { Label } from '../labels/label.ts'
import type { ReleaseRow } from './release.db.ts'

export const mostBuilds = 100

const fields = {
  id: Type.String(),
  ...versionFields,
  title: Type.String(),
  labels: Type.Array(Label),
  build_count: Type.Integer({ description: 'Builds in the trash are not counted.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Release = Type.Object(fields, { title: 'Release' })

export const FullRelease = Type.Object(
  {
    ...fields,
    notes: Nullable(Type.String({ description: 'Markdown' })),
    builds: Type.Array(Build),
    application_id: Type.String(),
    workspace_id: Type.String(),
  },
  { title: 'FullRelease' },
)
export type FullRelease = Static<typeof FullRelease>

export const ReleaseId = PathId('Id of the release.')

export const ReleaseLabels = Type.Array(name(50, 'Id or name; a name that is new makes a label.'), {
  maxItems: 10,
})

export const ReleaseBuildIds = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: mostBuilds,
  uniqueItems: true,
  description: 'Builds of the application.',
})

const wish = {
  title: name(200, 'What people read.'),
  notes: Nullable(text(20_000, 'Markdown')),
  labels: ReleaseLabels,
  ...versionParts,
}

export const NewRelease = Type.Object({
  title: wish.title,
  notes: Type.Optional(wish.notes),
  labels: Type.Optional(wish.labels),
  build_ids: Type.Optional(ReleaseBuildIds),
  version_component_1_major: wish.version_component_1_major,
  version_component_2_minor: wish.version_component_2_minor,
  version_component_3_patch: wish.version_component_3_patch,
  version_component_extra: Type.Optional(wish.version_component_extra),
  version_component_meta: Type.Optional(wish.version_component_meta),
})

export const ReleaseChanges = changesOf(wish)

export function releaseResource(row: ReleaseRow): Static<typeof Release> {
  const { id, title, labels, build_count, created_at, updated_at } = row
  return { id, ...versionResource(row), title, labels, build_count, created_at, updated_at }
}

export function fullReleaseResource(row: ReleaseRow, builds: BuildRow[], config: Config): FullRelease {
  return {
    ...releaseResource(row),
    notes: row.notes,
    builds: builds.map((build) => buildResource(build, config)),
    application_id: row.application_id,
    workspace_id: row.workspace_id,
  }
}

/** What the audit log keeps of a release. */
export const releaseFacts = ({ version, title, notes, labels, builds }: FullRelease) => ({
  version,
  title,
  notes,
  labels: labels.map((label) => label.name),
  builds: builds.map(({ id }) => id),
})
