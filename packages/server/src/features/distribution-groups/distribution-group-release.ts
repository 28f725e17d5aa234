import { Type, type Static } from 'typebox'
import { Timestamp } from '../../http/fields.ts'
import { versionResource } from '../builds/build.ts'
import type { GroupReleaseRow } from './distribution-group-release.db.ts'

export const DistributionGroupRelease = Type.Object(
  {
    id: Type.String({ description: 'ID of the release.' }),
    application_id: Type.String(),
    application_name: Type.String(),
    version: Type.String(),
    title: Type.String(),
    added_at: Timestamp,
  },
  { title: 'DistributionGroupRelease' },
)

export function groupReleaseResource(row: GroupReleaseRow): Static<typeof DistributionGroupRelease> {
  const { id, application_id, application_name, title, added_at } = row
  return { id, application_id, application_name, version: versionResource(row).version, title, added_at }
}
