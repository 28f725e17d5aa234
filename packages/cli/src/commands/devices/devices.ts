import type { Command } from 'commander'
import { addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { addDevicesAdd } from './add.ts'
import { addDevicesDelete } from './delete.ts'
import { addDevicesEdit } from './edit.ts'
import { addDevicesExport } from './export.ts'
import { addDevicesList } from './list.ts'

export function addDevices(program: Command, runtime: Runtime): void {
  const devices = addCommandGroup(program, 'devices', 'list, add and export the iPhones and iPads of testers')
  addDevicesList(devices, runtime)
  addDevicesAdd(devices, runtime)
  addDevicesEdit(devices, runtime)
  addDevicesDelete(devices, runtime)
  addDevicesExport(devices, runtime)
}
