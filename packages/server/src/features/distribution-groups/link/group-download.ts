import { Type } from 'typebox'
import { platformResource } from '../../../catalog/platforms.ts'
import { Nullable, Timestamp } from '../../../http/endpoint/fields.ts'
import { versionResource } from '../../builds/build.ts'
import { Platform } from '../../platforms/platform.ts'
import type { GroupDownloadRow, LatestDownload } from './group-download.db.ts'

/** The build that a group member downloaded, and the time of the download. */
export const downloadedBuild = {
  application_id: Type.String(),
  application_name: Type.String(),
  build_id: Type.String(),
  version: Type.String({ description: 'Full semantic version of the build.' }),
  build_number: Nullable(Type.String()),
  platform: Platform,
  created_at: Timestamp,
}

export function downloadedBuildResource(row: GroupDownloadRow | LatestDownload) {
  const { application_id, application_name, build_id, build_number, created_at } = row
  return {
    application_id,
    application_name,
    build_id,
    version: versionResource(row).version,
    build_number,
    platform: platformResource(row.platform),
    created_at,
  }
}
