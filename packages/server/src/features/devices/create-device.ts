import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { shortId } from '../../lib/ids.ts'
import { countDevices, insertDevice } from './device.db.ts'
import {
  Device,
  deviceAuditSnapshot,
  deviceExists,
  deviceResource,
  maxDevices,
  NewDevice,
  parseUdid,
  tooManyDevices,
} from './device.ts'

export const createDevice = endpoint({
  method: 'POST',
  path: '/devices',
  scope: { workspace: 'distribution_groups:create' },
  summary: 'Create a device',
  description:
    'Adds a device to the list of the workspace. Visitors of a share link or group link register their devices themselves.',
  body: NewDevice,
  status: 201,
  refuses: [deviceExists, tooManyDevices],
  returns: one(Device),
  async handle({ body, actor, ...call }) {
    const { platform = 'ios', email = null } = body
    const device = await conflictsAs({ devices_udid: deviceExists }, () =>
      inTransaction(call.db, async (tx) => {
        if ((await countDevices(tx, actor.workspaceId)) >= maxDevices)
          throw tooManyDevices({ count: maxDevices })
        const row = await insertDevice(tx, {
          id: shortId(10),
          workspace_id: actor.workspaceId,
          udid: parseUdid(body.udid) ?? body.udid,
          name: body.name.trim(),
          platform,
          source: actor.session === null ? 'api' : 'console',
          email,
        })
        await recordEvent(
          tx,
          { ...call, actor },
          {
            action: 'device.created',
            applicationId: null,
            subject: { type: 'device', id: row.id },
            after: deviceAuditSnapshot(row),
          },
        )
        return row
      }),
    )
    return { message: 'Device created.', data: deviceResource(device, actor) }
  },
})
