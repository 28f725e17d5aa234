import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireDeviceOfPath } from './device.db.ts'
import { Device, deviceParams, deviceResource } from './device.ts'

export const getDevice = endpoint({
  method: 'GET',
  path: '/devices/:device_id',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'Get a device',
  description: 'Returns what is known of one device, and how it was registered.',
  params: deviceParams,
  returns: one(Device),
  load: requireDeviceOfPath,
  async handle({ device, actor }) {
    return { message: 'Device retrieved.', data: deviceResource(device, actor) }
  },
})
