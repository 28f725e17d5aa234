import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { formatDevice } from './format-device.ts'

type Options = { name?: string; email?: string }

export function addDevicesEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit <device>',
    summary: 'change the name or email address of a device',
    result: 'updateDevice',
    example: 'quayside devices edit 8zkx4c2m7p --name "QA iPhone 16"',
    options: (command) =>
      command
        .option('--name <name>', 'new name')
        .option('--email <address>', 'new email address ("" removes it)'),
    async run(context, [device_id = ''], { name, email }) {
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(email === undefined ? {} : { email: email || null }),
      }
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add --name or --email.')
      const { data } = await context.client().updateDevice({ device_id, body }, { signal: context.signal })
      context.output.result(data, () => formatDevice(data))
    },
  })
}
