import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { collect } from '../../option-parsers.ts'
import type { ApiOptions } from './run-api.ts'

export function addApi(parent: Command, runtime: Runtime): void {
  addCommand<ApiOptions>(parent, runtime, {
    usage: 'api <method> <path>',
    summary: 'send a request to the API',
    description:
      'Send a request to the API and print the response body, even if it is an error.\n\n' +
      'The path is relative to /api/v1. {application} stands for the ID of the selected application.\n' +
      'Fields become query parameters of GET and DELETE requests and of requests with --input, and otherwise the JSON body.\n' +
      'Redirects are not followed; their target URL is printed.',
    result: true,
    example: "quayside api GET '/applications/{application}/builds' --field per_page=5",
    options: (command) =>
      command
        .option(
          '-F, --field <name=value>',
          'add a field; true, false, null and numbers are converted (repeatable; name[]=value adds to a list)',
          collect,
        )
        .option('-f, --raw-field <name=value>', 'add a text field (repeatable)', collect)
        .option('--input <path>', 'send a file, or standard input with `-`, as the body')
        .option('-H, --header <name:value>', 'add a header (repeatable)', collect)
        .option('--paginate', 'get all pages and print their items as one list'),
    async run(context, [method = '', path = ''], options) {
      const { runApi } = await import('./run-api.ts')
      await runApi(context, method, path, options)
    },
  })
}
