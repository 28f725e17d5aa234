import { Type, type Static } from 'typebox'
import type { ApplicationRow } from '../../access/application.db.ts'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { platformResource, platforms } from '../../catalog/platforms.ts'
import type { Deps } from '../../deps.ts'
import { trashFields } from '../../events/trash-state.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { name, Nullable, text, Timestamp } from '../../http/endpoint/fields.ts'
import { sizeString } from '../../lib/sizes.ts'
import { findBuildTotals, type StoredBytes } from '../builds/totals/storage-usage.db.ts'
import { iconUrl } from '../icons/icon.ts'
import { listAttachedPlatforms } from '../platforms/platform.db.ts'
import { Platform } from '../platforms/platform.ts'

const fields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  icon_url: Nullable(Type.String()),
  custom_store_enabled: Type.Boolean(),
  storage_usage: Type.Object(
    {
      total_bytes: Type.Integer(),
      total_string: Type.String(),
      hosted_bytes: Type.Integer(),
      self_hosted_bytes: Type.Integer(),
    },
    {
      description:
        'Bytes of the application: its icon and the files, metadata artifacts, icons and universal APKs of its builds, including builds in the trash. `hosted_bytes` are in the storage of the service, `self_hosted_bytes` in custom stores.',
    },
  ),
  physical_bytes: Type.Integer({
    description:
      'What the storages hold of `storage_usage`: bytes that builds share count once, also if the build that they were sent with was deleted.',
  }),
  physical_string: Type.String(),
  workspace_id: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Application = Type.Object({ ...fields, ...trashFields }, { title: 'Application' })

export const SingleApplication = Type.Object(
  {
    ...fields,
    build_count: Type.Integer(),
    platforms: Type.Array(Platform, {
      description:
        'The platforms of the application, so that a key that can only upload builds can choose one.',
    }),
  },
  { title: 'SingleApplication' },
)

export function applicationResource(
  row: ApplicationRow,
  storedBytes: StoredBytes,
  publicUrl: string,
): Static<typeof Application> {
  const { id, name, description, custom_store_enabled, workspace_id, created_at, updated_at } = row
  const physicalBytes = storedBytes.total - storedBytes.shared
  return {
    id,
    name,
    description,
    icon_url: iconUrl(publicUrl, row.icon_object_key),
    custom_store_enabled,
    storage_usage: {
      total_bytes: storedBytes.total,
      total_string: sizeString(storedBytes.total),
      hosted_bytes: storedBytes.total - storedBytes.selfHosted,
      self_hosted_bytes: storedBytes.selfHosted,
    },
    physical_bytes: physicalBytes,
    physical_string: sizeString(physicalBytes),
    workspace_id,
    created_at,
    updated_at,
  }
}

const input = {
  name: name(100, 'Display name.'),
  description: Nullable(text(1000)),
}

export const NewApplication = Type.Object({
  name: input.name,
  description: Type.Optional(input.description),
  custom_store_enabled: Type.Optional(
    Type.Literal(false, {
      description: 'Must be `false`: an application is created before its custom store.',
    }),
  ),
  platforms: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 50,
      description: `Any of: ${identifiersOf(platforms)}.`,
    }),
  ),
})

export const ApplicationChanges = changesOf({
  ...input,
  custom_store_enabled: Type.Boolean({
    description:
      'Whether new uploads go to the custom store of the application. Only an application with a saved store can enable it.',
  }),
})

/** Returns the attributes of an application that the audit log records. */
export const applicationAuditSnapshot = ({ name, description, custom_store_enabled }: ApplicationRow) => ({
  name,
  description,
  custom_store_enabled,
})

/** Returns the API representation of a single application, including its totals and platforms. */
export async function singleApplication({ db, config }: Pick<Deps, 'db' | 'config'>, row: ApplicationRow) {
  const { storedBytes, count } = await findBuildTotals(db, row.id)
  const slugs = await listAttachedPlatforms(db, row.id)
  return {
    ...applicationResource(row, storedBytes, config.publicUrl),
    build_count: count,
    platforms: slugs.map(platformResource),
  }
}
