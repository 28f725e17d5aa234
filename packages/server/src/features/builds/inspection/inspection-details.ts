import type { Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import type { Inspection } from '../../../inspection/inspection.ts'
import { replaceDebugIds } from './debug-id.db.ts'
import { deviceHash } from './device-hash.ts'
import { replacePackageDetails } from './package-detail.db.ts'

/** Replaces what the inspection of a primary file found for lookups and later features. */
export async function saveInspectionDetails(
  tx: Tx,
  { secretBox }: Pick<Deps, 'secretBox'>,
  { id, workspaceId, filename }: { id: string; workspaceId: string; filename: string },
  { debug_ids, deb_control, rpm_header, pacman_info, provisioned_devices: devices }: Inspection,
): Promise<void> {
  // An executable that is not in an archive has the name of the file.
  const ids = debug_ids.map((found) => ({ ...found, name: found.name ?? filename }))
  await replaceDebugIds(tx, { buildId: id, artifactId: null }, ids)
  const deviceHashes = devices?.map((device) => deviceHash(secretBox, workspaceId, device)) ?? null
  await replacePackageDetails(tx, id, { deb_control, rpm_header, pacman_info, deviceHashes })
}
