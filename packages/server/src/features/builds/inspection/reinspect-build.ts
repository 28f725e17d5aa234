import { isDeepStrictEqual } from 'node:util'
import { filetypeFor, initialProcessing } from '../../../catalog/filetypes.ts'
import { keepUpdatedAt } from '../../../database/keep-updated-at.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { inspectionVersion, type Inspection } from '../../../inspection/inspection.ts'
import { findStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import { changeIcon, storePackageIcon, type StoredIcon } from '../../icons/icon.ts'
import {
  failUnreadBuild,
  findLockedInspection,
  findPrimaryFile,
  isUninspected,
  saveInspectionAgain,
  type SavedInspection,
} from './build-inspection.db.ts'
import { saveReadings } from './build-reading.db.ts'
import { buildNumberOf, inspectObject } from './inspect-object.ts'
import { saveInspectionDetails } from './inspection-details.ts'

/** The version of the inspectors, which `reread-builds.job.ts` compares with that of each build. */
export const inspectionReading = { kind: 'inspection', version: inspectionVersion } as const

/**
 * Inspects a build again that an earlier version has inspected or could not inspect. Users see only what the file
 * contains in addition: there is no event, values that users can edit remain, and if the file cannot be read, so does
 * the previous metadata. Only a build of a type that was not read before becomes `failed`. Returns false if the build has to be inspected later.
 */
export async function reinspectBuild(deps: Deps, buildId: string, stopping: AbortSignal): Promise<boolean> {
  const { db } = deps
  const build = await findPrimaryFile(db, buildId)
  // `inspectBuild` has not inspected the build for the first time.
  if (build === undefined || isUninspected(build)) return false
  // The service may not have known the file extension when the file was uploaded.
  const filetype = (build.filetype === 'none' ? filetypeFor(build)?.identifier : undefined) ?? build.filetype
  if (initialProcessing(filetype) === 'none') {
    await saveReadings(db, [buildId], inspectionReading)
    return true
  }
  const object = await findStoredObject(db, build.object_key)
  if (object === undefined) return false
  const result = await inspectObject(deps, object, filetype, stopping)
  if ('reason' in result) {
    await inTransaction(db, async (tx) => {
      await keepUpdatedAt(tx)
      await failUnreadBuild(tx, { id: buildId, fileId: build.file_id, filetype, reason: result.reason })
      await saveReadings(tx, [buildId], inspectionReading)
    })
    return true
  }
  const icon = result.icon === null ? undefined : await storePackageIcon(deps, result.icon)
  return inTransaction(db, async (tx) => {
    const saved = await findLockedInspection(tx, buildId)
    if (saved === undefined || isUninspected(saved)) return false
    await keepUpdatedAt(tx)
    const owner = { id: buildId, workspaceId: build.workspace_id, filename: build.filename }
    await saveInspectionDetails(tx, deps, owner, result)
    await saveChanged(tx, saved, { inspection: result, icon, fileId: build.file_id, filetype })
    await saveReadings(tx, [buildId], inspectionReading)
    return true
  })
}

type Found = { inspection: Inspection; icon: StoredIcon | undefined; fileId: string; filetype: string }

/** Saves what differs. Most files yield the same metadata again, and a build that does not change is not reported. */
async function saveChanged(tx: Tx, saved: SavedInspection, { inspection, icon, fileId, filetype }: Found) {
  const { ios_info, android_info, file_info } = inspection
  const changedIcon = icon && (await changeIcon(tx, saved.icon_object_key, icon))
  const { id, processing, icon_size_bytes: savedIconBytes, ...before } = saved
  const columns = {
    // A build number that was cleared or edited after the first inspection remains.
    build_number:
      processing === 'done' ? saved.build_number : (saved.build_number ?? buildNumberOf(inspection)),
    ios_info: ios_info as object | null,
    android_info: android_info as object | null,
    file_info: file_info as object | null,
    icon_object_key: changedIcon?.key ?? saved.icon_object_key,
    derived_total_bytes:
      saved.derived_total_bytes + (changedIcon && icon ? icon.object.sizeBytes - (savedIconBytes ?? 0) : 0),
  }
  if (processing === 'done' && isDeepStrictEqual(JSON.parse(JSON.stringify(columns)), before)) return
  await saveInspectionAgain(tx, { id, fileId, filetype }, columns)
}
