import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'

export function addDevicesExport(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'export',
    summary: 'print the devices in the format of the Apple Developer portal',
    description:
      'Print all devices in the format of "Register Multiple Devices" in the Apple Developer portal.',
    result: 'exportDevices',
    example: 'quayside devices export > devices.txt',
    async run(context) {
      const { data } = await context.client().exportDevices({}, { signal: context.signal })
      context.output.result(data, () => data.content.trimEnd())
    },
  })
}
