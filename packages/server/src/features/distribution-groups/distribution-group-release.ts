import { Type, type Static } from 'typebox'
import { Timestamp } from '../../http/endpoint/fields.ts'
import { versionResource } from '../builds/build.ts'
import { ReleaseStatus } from '../releases/release.ts'
import type { GroupReleaseRow } from './distribution-group-release.db.ts'

export const DistributionGroupRelease = Type.Object(
  {
    id: Type.String({ description: 'ID of the release.' }),
    application_id: Type.String(),
    application_name: Type.String(),
    version: Type.String(),
    title: Type.String(),
    status: ReleaseStatus,
    notify: Type.Boolean({ description: 'Whether the members are notified when the release is published.' }),
    added_at: Timestamp,
  },
  { title: 'DistributionGroupRelease' },
)

export function groupReleaseResource(row: GroupReleaseRow): Static<typeof DistributionGroupRelease> {
  const { id, application_id, application_name, title, notify, added_at } = row
  const { version } = versionResource(row)
  const status = row.status as ReleaseStatus
  return { id, application_id, application_name, version, title, status, notify, added_at }
}
