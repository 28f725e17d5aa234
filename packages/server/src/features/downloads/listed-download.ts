import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { versionResource } from '../builds/build.ts'
import type { DownloadRow } from '../builds/files/download.db.ts'
import { Download, downloadResource } from '../builds/files/download.ts'
import { Platform } from '../platforms/platform.ts'
import type { ListedDownloadRow } from './download-list.db.ts'

export const ListedDownload = Type.Object(
  {
    ...Download.properties,
    is_install: Type.Boolean({
      description: 'Whether a device installed the build instead of saving its file.',
    }),
    build_id: Type.String(),
    version: Type.String({ description: 'Full semantic version of the build.' }),
    build_number: Nullable(Type.String()),
    platform: Platform,
    filename: Nullable(Type.String({ description: 'Name of the file that was downloaded.' })),
    user_name: Nullable(
      Type.String({ description: 'Name of the signed-in user. `null` for keys without `members:read`.' }),
    ),
    distribution_group_name: Nullable(
      Type.String({ description: '`null` for keys without `distribution_groups:read`.' }),
    ),
    portal_name: Nullable(Type.String({ description: '`null` for keys without `portals:read`.' })),
  },
  { title: 'ListedDownload' },
)

/** Returns a download with the names that the caller may see. */
export function listedDownloadResource(row: ListedDownloadRow, actor: Actor): Static<typeof ListedDownload> {
  const { is_install, build_id, build_number, platform, filename } = row
  const { user_name, distribution_group_name, portal_name } = row
  const download: DownloadRow = {
    id: row.id,
    channel: row.channel,
    file_id: row.file_id,
    metadata_artifact_id: row.metadata_artifact_id,
    share_link_id: row.share_link_id,
    distribution_group_id: row.distribution_group_id,
    portal_id: row.portal_id,
    api_key_id: row.api_key_id,
    api_key_name: row.api_key_name,
    user_id: row.user_id,
    email: row.email,
    address: row.address,
    user_agent: row.user_agent,
    created_at: row.created_at,
  }
  const { scopes } = actor
  return {
    ...downloadResource(download, actor),
    is_install,
    build_id,
    version: versionResource(row).version,
    build_number,
    platform: platformResource(platform),
    filename,
    user_name: scopes.has('members:read') ? user_name : null,
    distribution_group_name: scopes.has('distribution_groups:read') ? distribution_group_name : null,
    portal_name: scopes.has('portals:read') ? portal_name : null,
  }
}
