import type { ListDevicesParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { filterParams, withFilterOptions } from '../../filter-options.ts'
import type { FilterOptions } from '../../filter-options.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'

export function addDevicesList(parent: Command, runtime: Runtime): void {
  const filters: FilterOptions<ListDevicesParams> = {
    search: new Option('--search <text>', 'search name, UDID and product'),
  }
  addCommand<PageOptions>(parent, runtime, {
    usage: 'list',
    summary: 'list devices',
    description: 'List the devices of the workspace that testers registered or that were added.',
    result: 'listDevices',
    example: 'quayside devices list --search iPad',
    options: (command) => withPageOptions(withFilterOptions(command, filters), 'devices'),
    async run(context, _arguments, options) {
      const client = context.client()
      const params = filterParams(filters, options)
      await printPage(context, options, {
        noun: 'devices',
        fetchPage: (page, per_page) =>
          client.listDevices({ ...params, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'NAME', 'UDID', 'PRODUCT', 'EMAIL'],
        row: ({ id, name, udid, product, product_name, email }) => [
          id,
          name,
          udid,
          product_name ?? product,
          email,
        ],
      })
    },
  })
}
