import type { Command } from 'commander'
import { addCommand, addCommandGroup } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { integerBetween, parseFutureTime } from '../../option-parsers.ts'
import { formatFields } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireChannelParams } from './select-channel.ts'

type CreateOptions = { expires?: string; maxDownloads?: number; cohort?: string }

export function addChannelsReadKeys(parent: Command, runtime: Runtime): void {
  const keys = addCommandGroup(parent, 'read-keys', 'list, create and revoke the read keys of a channel')
  addList(keys, runtime)
  addCreate(keys, runtime)
  addRevoke(keys, runtime)
}

function addList(parent: Command, runtime: Runtime): void {
  addCommand<PageOptions>(parent, runtime, {
    usage: 'list <channel>',
    summary: 'list read keys',
    result: 'listReadKeys',
    example: 'quayside channels read-keys list Stable',
    options: (command) => withPageOptions(command, 'read keys'),
    async run(context, [selected = ''], options) {
      const params = await requireChannelParams(context, selected)
      await printPage(context, options, {
        noun: 'read keys',
        fetchPage: (page, per_page) =>
          context.client().listReadKeys({ ...params, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'NAME', 'KEY', 'DOWNLOADS', 'EXPIRES', 'REVOKED'],
        row: (key) => [
          key.id,
          key.name,
          `${key.prefix}…`,
          key.max_downloads === null ? key.download_count : `${key.download_count} of ${key.max_downloads}`,
          key.expires_at ?? 'never',
          key.revoked_at,
        ],
      })
    },
  })
}

function addCreate(parent: Command, runtime: Runtime): void {
  addCommand<CreateOptions>(parent, runtime, {
    usage: 'create <channel> <name>',
    summary: 'create a read key',
    description: 'Create a read key for a customer. The key is shown only once.',
    result: 'createReadKey',
    example: 'quayside channels read-keys create Stable "Acme Corp" --expires 365d',
    options: (command) =>
      command
        .option(
          '--expires <time>',
          'expiration time, or a duration such as 90d (default: never)',
          parseFutureTime,
        )
        .option(
          '--max-downloads <number>',
          'number of complete files that can be downloaded',
          integerBetween(1, 1_000_000_000),
        )
        .option(
          '--cohort <name>',
          'cohort of rollouts to which clients with the key belong, such as testers',
        ),
    async run(context, [selected = '', name = ''], { expires, maxDownloads, cohort }) {
      const params = await requireChannelParams(context, selected)
      const body = {
        name,
        ...(expires === undefined ? {} : { expires_at: expires }),
        ...(maxDownloads === undefined ? {} : { max_downloads: maxDownloads }),
        ...(cohort === undefined ? {} : { cohort }),
      }
      const { data } = await context.client().createReadKey({ ...params, body }, { signal: context.signal })
      context.output.result(data, () => {
        const fields = formatFields([
          ['ID', data.id],
          ['Name', data.name],
          ['Expires', data.expires_at ?? 'never'],
          ['Key', data.key],
          ['URL', data.url],
        ])
        return `${fields}\n\nStore the key now. It will not be shown again.`
      })
    },
  })
}

function addRevoke(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'revoke <channel> <key>',
    summary: 'revoke a read key by its ID',
    result: { id: false, revoked: false },
    example: 'quayside channels read-keys revoke Stable 4k7mz2qd9w',
    async run(context, [selected = '', read_key_id = '']) {
      const params = await requireChannelParams(context, selected)
      const { message } = await context
        .client()
        .deleteReadKey({ ...params, read_key_id }, { signal: context.signal })
      context.output.result({ id: read_key_id, revoked: true }, () => message)
    },
  })
}
