import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireDevice, requireDeviceOfPath, requireLockedDevice, saveDevice } from './device.db.ts'
import { Device, deviceAuditSnapshot, DeviceChanges, deviceParams, deviceResource } from './device.ts'

export const updateDevice = endpoint({
  method: 'PATCH',
  path: '/devices/:device_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Update a device',
  description:
    'Changes the name or the email address of a device. The device itself reports the other fields.',
  params: deviceParams,
  body: DeviceChanges,
  returns: one(Device),
  load: requireDeviceOfPath,
  async handle({ device: { id }, body, ...call }) {
    const { workspaceId } = call.actor
    const changes = givenChanges(DeviceChanges, body)
    const device = await inTransaction(call.db, async (tx) => {
      const before = await requireLockedDevice(tx, workspaceId, id)
      await saveDevice(tx, id, changes)
      const after = await requireDevice(tx, workspaceId, id)
      await recordEvent(tx, call, {
        action: 'device.updated',
        applicationId: null,
        subject: { type: 'device', id },
        before: deviceAuditSnapshot(before),
        after: deviceAuditSnapshot(after),
      })
      return after
    })
    return { message: 'Device updated.', data: deviceResource(device, call.actor) }
  },
})
