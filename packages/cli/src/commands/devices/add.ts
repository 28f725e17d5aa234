import type { CreateDeviceParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatDevice } from './format-device.ts'

type Options = {
  name: string
  email?: string
  platform?: NonNullable<CreateDeviceParams['body']['platform']>
}

export function addDevicesAdd(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'add <udid>',
    summary: 'add a device',
    result: 'createDevice',
    example: 'quayside devices add 00008140-001A2B3C4D5E6F70 --name "QA iPhone"',
    options: (command) =>
      command
        .requiredOption('--name <name>', 'name of the device, as Apple lists it')
        .option('--email <address>', 'email address of the person who uses it')
        .addOption(
          new Option('--platform <platform>', 'kind of device (default: ios, which includes iPads)').choices([
            'ios',
            'macos',
            'tvos',
            'visionos',
            'watchos',
          ]),
        ),
    async run(context, [udid = ''], options) {
      const { data } = await context
        .client()
        .createDevice({ body: { udid, ...options } }, { signal: context.signal })
      context.output.result(data, () => formatDevice(data))
    },
  })
}
