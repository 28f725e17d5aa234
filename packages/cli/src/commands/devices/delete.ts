import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'

export function addDevicesDelete(parent: Command, runtime: Runtime): void {
  addCommand<ConfirmOptions>(parent, runtime, {
    usage: 'delete <device>',
    summary: 'delete a device',
    description: 'Delete a device. Provisioning profiles that include it do not change.',
    result: { id: false, deleted: false },
    example: 'quayside devices delete 8zkx4c2m7p',
    options: (command) => command.option(...yesOption),
    async run(context, [device_id = ''], options) {
      await confirmDeletion(context, options, `Delete the device ${device_id}?`)
      const { message } = await context.client().deleteDevice({ device_id }, { signal: context.signal })
      context.output.result({ id: device_id, deleted: true }, () => message)
    },
  })
}
