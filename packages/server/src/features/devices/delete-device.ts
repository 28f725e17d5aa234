import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeDevice, requireDeviceOfPath, requireLockedDevice } from './device.db.ts'
import { deviceAuditSnapshot, deviceParams } from './device.ts'

export const deleteDevice = endpoint({
  method: 'DELETE',
  path: '/devices/:device_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Delete a device',
  description: 'Removes the device from the list. Provisioning profiles that include it do not change.',
  params: deviceParams,
  returns: Message,
  load: requireDeviceOfPath,
  async handle({ device: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedDevice(tx, call.actor.workspaceId, id)
      await removeDevice(tx, id)
      await recordEvent(tx, call, {
        action: 'device.deleted',
        applicationId: null,
        subject: { type: 'device', id },
        before: deviceAuditSnapshot(before),
      })
    })
    return { message: 'Device deleted.' }
  },
})
