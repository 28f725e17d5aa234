import { inTransaction, type Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent, type Initiator } from '../../../events/record-event.ts'
import type { Icon, Inspection } from '../../../inspection/inspection.ts'
import { job } from '../../../jobs/job.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { findStoredObject, insertStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import { storePackageIcon, type StoredIcon } from '../../icons/icon.ts'
import { listFullBuilds } from '../build.db.ts'
import {
  findLockedUninspectedBuild,
  findUninspectedBuild,
  listOverdueInspections,
  saveInspection,
  saveInspectionError,
} from './build-inspection.db.ts'
import { saveReadings } from './build-reading.db.ts'
import { buildNumberOf, inspectObject } from './inspect-object.ts'
import { saveInspectionDetails } from './inspection-details.ts'
import { inspectionReading } from './reinspect-build.ts'
import { insertUniversalApk, storeUniversalApk } from './universal-apk.ts'

const overdueBatchSize = 1_000

/** Reads the metadata and the icon of a build from its primary file, in a sandboxed process. */
export const inspectBuild = job<{ buildId: string }>({
  name: 'builds.inspect',
  waitsForUploads: true,
  // Only failures of the database or storage are retried. If a file cannot be read, the reason is recorded.
  retries: 20,
  // The inspector limits the number of processes.
  concurrency: 2,
  expireInSeconds: 30 * 60,
  handle: (deps, { buildId }, stopping) => inspect(deps, buildId, stopping),
})

/** Inspects builds whose job was lost or never queued, such as builds from versions without inspection. */
export const inspectOverdueBuilds = job({
  name: 'builds.inspect-overdue',
  schedule: '7 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  async handle(deps, _, stopping) {
    for (const id of await listOverdueInspections(deps.db, overdueBatchSize)) {
      if (stopping.aborted) return
      await inspect(deps, id, stopping).catch((err: unknown) =>
        deps.log.error({ err, build: id }, 'could not inspect a build'),
      )
    }
  },
})

type Inspected = { inspection: Inspection; icon: StoredIcon | undefined; apk: SealedObject | undefined }

async function inspect(deps: Deps, buildId: string, stopping: AbortSignal): Promise<void> {
  const { db, config } = deps
  const build = await findUninspectedBuild(db, buildId)
  const object = build && (await findStoredObject(db, build.object_key))
  if (build === undefined || object === undefined) return
  const { application_id: applicationId, workspace_id: workspaceId } = build
  const actor = { via: 'system', id: null, name: 'Inspection', workspaceId } as const
  const by: Initiator = { actor, address: null }
  const result = await inspectObject(deps, object, build.filetype, stopping)
  const outcome =
    'reason' in result
      ? result
      : {
          inspection: result,
          icon: await storeIcons(deps, by, applicationId, result.icon),
          apk: await storeUniversalApk(deps, build, object, stopping),
        }
  await inTransaction(db, async (tx) => {
    const locked = await findLockedUninspectedBuild(tx, buildId)
    if (locked === undefined) return
    if ('reason' in outcome) await saveInspectionError(tx, buildId, outcome.reason)
    else await saveInspected(tx, deps, { ...build, ...locked }, outcome)
    await saveReadings(tx, [buildId], inspectionReading)
    // A build in the trash is inspected too, in case it is restored, but events describe only listed builds.
    for (const processed of await listFullBuilds(tx, [buildId], config))
      await recordEvent(tx, by, {
        action: 'build.processed',
        applicationId,
        subject: { type: 'build', id: buildId },
        before: { version: processed.version, processing_error: null, build_number: locked.build_number },
        after: {
          version: processed.version,
          processing_error: processed.processing_error,
          build_number: processed.build_number,
        },
        events: [{ name: 'build.processed', data: { build: processed } }],
      })
  })
}

async function saveInspected(
  tx: Tx,
  deps: Pick<Deps, 'secretBox'>,
  {
    id,
    workspace_id: workspaceId,
    filename,
    build_number,
  }: { id: string; workspace_id: string; filename: string; build_number: string | null },
  { inspection, icon, apk }: Inspected,
): Promise<void> {
  const { ios_info, android_info, file_info } = inspection
  await saveInspectionDetails(tx, deps, { id, workspaceId, filename }, inspection)
  if (icon !== undefined) await insertStoredObject(tx, icon.object, { iconType: icon.contentType })
  if (apk !== undefined) await insertUniversalApk(tx, { id, filename }, apk)
  await saveInspection(tx, id, {
    build_number: build_number ?? buildNumberOf(inspection),
    ios_info,
    android_info,
    file_info,
    icon_object_key: icon?.object.key ?? null,
    derived_total_bytes: (icon?.object.sizeBytes ?? 0) + (apk?.sizeBytes ?? 0),
  })
}

/**
 * Stores the icon for the build, and a copy for the application if it has no icon. The application needs its own copy,
 * because the build may be deleted first.
 */
async function storeIcons(
  deps: Deps,
  by: Initiator,
  applicationId: string,
  icon: Icon | null,
): Promise<StoredIcon | undefined> {
  if (icon === null) return undefined
  await deps.dependents.setMissingApplicationIcon(deps, by, applicationId, icon)
  return storePackageIcon(deps, icon)
}
