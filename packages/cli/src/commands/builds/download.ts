import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import type { DownloadOptions } from './run-download.ts'
import { withLinkOptions } from './select-build.ts'

export function addDownload(parent: Command, runtime: Runtime): void {
  addCommand<DownloadOptions>(parent, runtime, {
    usage: 'download <build>',
    summary: 'download the files of a build',
    description:
      'Download the files of a build and verify their checksums.\n' +
      '<build> is an ID, `latest`, or a link that you received, which needs no API key.\n' +
      'Rerun the command to resume an interrupted download.',
    result: {
      build_id: false,
      files: {
        path: false,
        size_bytes: false,
        checksum_sha256: false,
        checksum_md5: false,
        received_bytes: false,
        reused_bytes: false,
        method: false,
      },
    },
    example: 'quayside download latest --stream nightlies --output dist/',
    options: (command) =>
      withLinkOptions(command)
        .option(
          '-o, --output <path>',
          'file or folder to write to, or - for standard output (default: current folder)',
        )
        .option('-f, --force', 'overwrite existing files')
        .option('--reuse <path>', 'take what has not changed from a file or folder of an earlier version'),
    async run(context, [build = ''], options) {
      const { runDownload } = await import('./run-download.ts')
      await runDownload(context, build, options)
    },
  })
}
