import { sql, type Insertable, type Updateable } from 'kysely'
import { containsPattern, nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'

const selectDevices = (db: Executor, workspaceId: string) =>
  db.selectFrom('devices').selectAll().where('workspace_id', '=', workspaceId)

export type DeviceRow = Awaited<ReturnType<ReturnType<typeof selectDevices>['executeTakeFirstOrThrow']>>

export const requireDevice = (db: Executor, workspaceId: string, id: string): Promise<DeviceRow> =>
  selectDevices(db, workspaceId).where('id', '=', id).executeTakeFirstOrThrow(notFound)

/** Loads the device that the path identifies; throws 404 if it does not exist. */
export async function requireDeviceOfPath(call: { db: Db; actor: Actor; params: { device_id: string } }) {
  return { device: await requireDevice(call.db, call.actor.workspaceId, call.params.device_id) }
}

/** Locks the device until the end of the transaction and returns it; throws 404 if it does not exist. */
export const requireLockedDevice = (tx: Tx, workspaceId: string, id: string): Promise<DeviceRow> =>
  selectDevices(tx, workspaceId).where('id', '=', id).forUpdate().executeTakeFirstOrThrow(notFound)

/** Locks and returns the device with this identifier. */
export const findLockedDeviceByUdid = (tx: Tx, workspaceId: string, udid: string) =>
  selectDevices(tx, workspaceId).where('udid', '=', udid).forUpdate().executeTakeFirst()

const sortKeys = { name: nameOrder('name'), created_at: sql`created_at`, product: sql`product` }

export type DeviceFilter = {
  search: string | undefined
  sortBy: keyof typeof sortKeys
  direction: 'asc' | 'desc'
}

export async function listDevicesPage(
  db: Executor,
  workspaceId: string,
  { search, sortBy, direction }: DeviceFilter,
  page: Page,
) {
  let matching = db.selectFrom('devices').where('workspace_id', '=', workspaceId)
  if (search !== undefined) {
    const pattern = containsPattern(search)
    matching = matching.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('udid', 'ilike', pattern), eb('product', 'ilike', pattern)]),
    )
  }
  const order = sql`${sortKeys[sortBy]} ${sql.raw(direction)}, id ${sql.raw(direction)}`
  return listWithTotal(matching.selectAll().orderBy(order).limit(page.limit).offset(page.offset), matching)
}

/** Lists all devices of the workspace by name. */
export const listAllDevices = (db: Executor, workspaceId: string): Promise<DeviceRow[]> =>
  selectDevices(db, workspaceId).orderBy(nameOrder('name')).orderBy('id').execute()

export async function countDevices(db: Executor, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertDevice(tx: Tx, device: Insertable<Database['devices']>): Promise<DeviceRow> {
  await tx.insertInto('devices').values(device).execute()
  return requireDevice(tx, device.workspace_id, device.id)
}

export async function saveDevice(
  tx: Tx,
  id: string,
  changes: Updateable<Database['devices']>,
): Promise<void> {
  if (Object.keys(changes).length > 0)
    await tx.updateTable('devices').set(changes).where('id', '=', id).execute()
}

export async function removeDevice(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('devices').where('id', '=', id).execute()
}
