import { sql } from 'kysely'
import { selectIsReachable } from '../../../access/application.db.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import type { ListPosition } from '../../../http/endpoint/cursor.ts'
import type { Inspection } from '../../../inspection/inspection.ts'
import { selectBuilds } from '../build.db.ts'
import { deviceHash } from './device-hash.ts'

type Context = { db: Executor; secretBox: Deps['secretBox'] }

export type PackageDetails = Pick<Inspection, 'deb_control' | 'rpm_header' | 'pacman_info'> & {
  deviceHashes: string[] | null
}

/** Replaces what package repositories and installation pages need of the primary file. */
export async function replacePackageDetails(
  tx: Tx,
  buildId: string,
  { deviceHashes, ...metadata }: PackageDetails,
): Promise<void> {
  const { deb_control, rpm_header, pacman_info } = metadata
  await tx.deleteFrom('package_details').where('build_id', '=', buildId).execute()
  if ([...Object.values(metadata), deviceHashes].every((value) => value === null)) return
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await tx
    .insertInto('package_details')
    .values({
      build_id: buildId,
      deb_control: json(deb_control),
      rpm_header: json(rpm_header),
      pacman_info: json(pacman_info),
      device_hashes: deviceHashes,
    })
    .execute()
}

/** Lists which of the builds have a provisioning profile that includes the device. */
export async function listBuildIdsForDevice(
  { db, secretBox }: Context,
  { workspaceId, udid, buildIds }: { workspaceId: string; udid: string; buildIds: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('package_details')
    .select('build_id')
    .where(sql<boolean>`build_id = any(${[...buildIds]}::text[])`)
    .where(sql<boolean>`${deviceHash(secretBox, workspaceId, udid)} = any(device_hashes)`)
    .execute()
  return rows.map(({ build_id }) => build_id)
}

/** Lists which of the devices are in the provisioning profile of a build. */
export async function listDevicesOfProfile(
  { db, secretBox }: Context,
  { workspaceId, buildId, udids }: { workspaceId: string; buildId: string; udids: readonly string[] },
): Promise<Set<string>> {
  const row = await db
    .selectFrom('package_details')
    .select('device_hashes')
    .where('build_id', '=', buildId)
    .executeTakeFirst()
  const hashes = new Set(row?.device_hashes ?? [])
  return new Set(udids.filter((udid) => hashes.has(deviceHash(secretBox, workspaceId, udid))))
}

/** Lists builds that a device can install, the newest first, with the names of their applications. */
export async function listBuildsForDevice(
  { db, secretBox }: Context,
  actor: Actor,
  { udid, after, limit }: { udid: string; after: ListPosition | undefined; limit: number },
) {
  const hash = deviceHash(secretBox, actor.workspaceId, udid)
  let query = selectBuilds(db)
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .select('applications.name as application_name')
    .where('builds.workspace_id', '=', actor.workspaceId)
    .where('applications.deleted_at', 'is', null)
    .where(selectIsReachable(actor, 'builds.application_id'))
    .where(sql<boolean>`(builds.ios_info->>'key_type' = 'enterprise' or builds.id in (
      select build_id from package_details where device_hashes @> array[${hash}]))`)
    .where(sql<boolean>`(builds.ios_info->>'provisioning_profile_expiry' is null
      or (builds.ios_info->>'provisioning_profile_expiry')::timestamptz > now())`)
  if (after !== undefined)
    query = query.where(
      sql<boolean>`(builds.created_at, builds.id) < (${after.time}::timestamptz, ${after.id})`,
    )
  return query.orderBy('builds.created_at', 'desc').orderBy('builds.id', 'desc').limit(limit).execute()
}
