import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { listAllDevices, type DeviceRow } from './device.db.ts'

export const exportDevices = endpoint({
  method: 'GET',
  path: '/devices/export',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'Export devices for Apple',
  description:
    'Returns the devices in the format of *Register Multiple Devices* in the Apple Developer portal: tab-separated, with the columns `Device ID`, `Device Name` and `Device Platform`.',
  returns: one(
    Type.Object(
      {
        filename: Type.String(),
        content: Type.String({ description: 'Save it as a file in UTF-8.' }),
        device_count: Type.Integer(),
      },
      { title: 'DeviceExport' },
    ),
  ),
  async handle({ db, actor }) {
    const devices = await listAllDevices(db, actor.workspaceId)
    const lines = devices.map(({ udid, name, platform }) =>
      [udid, cellOf(name), platform === 'macos' ? 'mac' : 'ios'].join('\t'),
    )
    return {
      message: 'Devices exported.',
      data: {
        filename: 'devices.txt',
        content: `${[heading, ...lines].join('\n')}\n`,
        device_count: devices.length,
      },
    }
  },
})

const heading = 'Device ID\tDevice Name\tDevice Platform'

/** Returns a name on one line and without tabs, which separate the columns. */
const cellOf = (name: DeviceRow['name']): string => name.replaceAll(/[\t\r\n]+/g, ' ')
