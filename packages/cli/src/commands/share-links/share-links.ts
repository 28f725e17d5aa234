import type { ShareLink } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { integerBetween, parseFutureTime } from '../../option-parsers.ts'
import { askLine, readStandardInput } from '../../standard-input.ts'
import { formatLinkState } from './format-link.ts'
import { addShareList } from './list.ts'
import { addShareRevoke } from './revoke.ts'
import { selectShareable, withShareableOptions } from './select-shareable.ts'
import type { ShareableOptions } from './select-shareable.ts'

type Options = ShareableOptions & {
  password?: boolean
  passwordStdin?: boolean
  expires?: string
  maxDownloads?: number
  feedback?: boolean
}

export function addShare(parent: Command, runtime: Runtime): void {
  const share = addCommand<Options>(parent, runtime, {
    usage: 'share [build]',
    summary: 'create a share link for a build or release',
    description:
      'Create a link for downloading a build or release without an account. Prints the URL of the link.\n' +
      'The build is an ID or "latest".',
    result: ['createBuildShareLink', 'createReleaseShareLink'],
    example: 'quayside share latest --stream stable --expires 7d --max-downloads 5',
    options: (command) =>
      withShareableOptions(command)
        .option('--password', 'protect the link with a password (prompts for it)')
        .option('--password-stdin', 'protect the link with a password read from standard input')
        .option(
          '--expires <time>',
          'expiration time, or a duration such as 12h, 7d or 4w (default: that of your own key)',
          parseFutureTime,
        )
        .option(
          '--max-downloads <number>',
          'number of downloads after which the link stops working',
          integerBetween(1, 1_000_000),
        )
        .option('--feedback', 'let visitors send feedback'),
    async run(context, [build], options) {
      const target = await selectShareable(context, build, options)
      const password = await readPassword(context, options)
      const body = {
        ...(password === undefined ? {} : { password }),
        ...(options.expires === undefined ? {} : { expires_at: options.expires }),
        ...(options.maxDownloads === undefined ? {} : { max_downloads: options.maxDownloads }),
        ...(options.feedback === true ? { feedback_enabled: true } : {}),
      }
      const { data } = await target.create(body)
      context.output.note(describeLink(data))
      context.output.result(data, () => data.short_url)
    },
  })
  addShareList(share, runtime)
  addShareRevoke(share, runtime)
}

function describeLink(link: ShareLink): string {
  const password = link.password_protected ? ', password required' : ''
  return `Share link ${link.id} for ${link.shareable_type} ${link.shareable_id}: ${formatLinkState(link)}${password}`
}

async function readPassword(
  context: CommandContext,
  { password, passwordStdin }: Options,
): Promise<string | undefined> {
  if (passwordStdin === true) {
    const text = (await readStandardInput(context, '--password-stdin')).replace(/\r?\n$/, '')
    if (text !== '') return text
    throw new Failure(
      'usage',
      'Standard input contains no password. Pipe or redirect the password to the command.',
    )
  }
  if (password !== true) return undefined
  if (context.runtime.stdin.isTTY !== true)
    throw new Failure('usage', '--password requires a terminal. Use --password-stdin in a script.')
  const first = await askLine(context, 'Password: ', { isSecret: true })
  if (first === '') throw new Failure('usage', 'The password must not be empty. Run the command again.')
  const second = await askLine(context, 'Repeat the password: ', { isSecret: true })
  if (first === second) return first
  throw new Failure('usage', 'The passwords differ. Run the command again.')
}
