import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import type { ImportOptions } from './run-import.ts'

export function addImport(parent: Command, runtime: Runtime): void {
  addCommand<ImportOptions>(parent, runtime, {
    usage: 'import [folder]',
    summary: 'import an application from a folder, another server or another service',
    description:
      'Copy an application to this server. Without --application, a new application is created. Rerun the command to\n' +
      'resume after an interruption or to import what was added, or add --start-over to import everything again, into a\n' +
      'new application. Files are compared with their checksums.\n\n' +
      'From a folder of `quayside export` or from any server with the same API, the command copies builds with their files\n' +
      'and artifacts, streams, labels, custom targets, icons, releases, share links, webhooks and distribution groups, as\n' +
      'far as both keys allow. From GitHub, GitLab, Gitea, Zealot, S3 or a folder with saved responses of App Center\n' +
      '(`--from github` and so on), it copies releases with their files, notes and dates. Version and platform come from\n' +
      'the tag and the file names, as in `quayside upload`.\n\n' +
      'The report at the end lists what to create again, such as share links with passwords, and what was not imported.\n' +
      'Builds and releases get new IDs and creation times. To keep the times and everything else, use\n' +
      '`quayside-server admin export` and `import`.',
    result: {
      application_id: false,
      state: false,
      builds: false,
      skipped_builds: false,
      failed_builds: false,
      releases: false,
      sent_bytes: false,
      custom_targets: false,
      icons: false,
      share_links: false,
      webhooks: false,
      distribution_groups: false,
      create_again: { type: false, name: false, reason: false },
      not_imported: { what: false, reason: false },
    },
    example: 'quayside import --from github --repository acme/compass',
    options: withImportOptions,
    async run(context, [folder], options) {
      const { runImport } = await import('./run-import.ts')
      await runImport(context, folder, options)
    },
  })
}

const withImportOptions = (command: Command): Command =>
  command
    .option(
      '--from <source>',
      'github, gitlab, gitea, zealot, s3, appcenter, or the URL of a server to import from',
    )
    .option('--repository <owner/name>', 'repository or project on GitHub, GitLab or Gitea')
    .option('--url <url>', 'URL of a self-hosted instance, or endpoint of an S3-compatible store')
    .option('--from-application <id>', 'ID of the application on that server, or of the app on Zealot')
    .option('--bucket <name>', 'S3 bucket')
    .option('--prefix <prefix>', 'only S3 objects whose keys start with this text, such as app/')
    .option('--region <region>', 'region of the S3 bucket (default: $AWS_REGION or us-east-1)')
    .option('--stream <name>', 'stream of imported builds (default: default, or the scheme on Zealot)')
    .option(
      '--platform <slug>',
      'platform of files, such as archives, that name and type assign to none (default: generic)',
    )
    .addOption(
      new Option(
        '--version-from <source>',
        'which version takes precedence (default: that in the tag)',
      ).choices(['tag', 'filename']),
    )
    .option(
      '--from-key <key>',
      'API key or token for the source, visible to other local users; prefer $QUAYSIDE_FROM_API_KEY for a server, and $GITHUB_TOKEN, $GITLAB_TOKEN, $GITEA_TOKEN or $ZEALOT_TOKEN for a service',
    )
    .option('--state <file>', 'file that records the new IDs (default: in the state folder of the user)')
    .option('--start-over', 'discard the record of earlier runs and import everything again')
