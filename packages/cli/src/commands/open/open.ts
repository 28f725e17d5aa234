import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { buildNotFound } from '../builds/format-build.ts'
import { requireBuildId, withLatestOptions } from '../builds/select-build.ts'
import type { LatestOptions } from '../builds/select-build.ts'

type Options = LatestOptions & { docs?: boolean; print?: boolean }

export function addOpen(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'open [build]',
    summary: 'open a build, an application or the server in the browser',
    description:
      'Open the page of a build, by ID or `latest`, in the browser. Without a build, open the selected application or the server.\n' +
      'These pages belong to the console, where you sign in.\n' +
      'BROWSER sets the program that opens the page.',
    result: { url: false },
    example: 'quayside open 7k2m9p4r3t',
    options: (command) =>
      withLatestOptions(command)
        .option('--docs', 'open the API reference of the server')
        .option('--print', 'print the URL instead of opening it'),
    async run(context, [build], options) {
      const url = await findUrl(context, build, options)
      // The URL comes from the server. With any other scheme, the opener could start a program other than a browser.
      if (!/^https?:\/\//.test(url))
        throw new Failure(
          'failed',
          `"${url}" is not an http or https URL. Check QUAYSIDE_PUBLIC_URL on the server.`,
        )
      context.output.result({ url }, () => url)
      if (options.print === true) return
      const { openBrowser } = await import('./open-browser.ts')
      if (!(await openBrowser(context, url)))
        context.output.note('No browser could be started. Open the URL yourself or set BROWSER.')
    },
  })
}

async function findUrl(
  context: CommandContext,
  selected: string | undefined,
  options: Options,
): Promise<string> {
  const { settings, signal } = context
  if (options.docs === true) {
    if (selected !== undefined) throw new Failure('usage', 'Use either a build or --docs, not both.')
    return `${settings.server}/api/v1/docs`
  }
  if (selected === undefined && settings.application === undefined) return settings.server
  const application_id = await requireApplicationId(context)
  if (selected === undefined) return `${settings.server}/applications/${application_id}`
  const build_id = await requireBuildId(context, application_id, selected, options)
  const { data } = await withNotFoundMessage(
    context.client().getBuild({ application_id, build_id }, { signal }),
    buildNotFound(build_id),
  )
  return data.modal_url
}
