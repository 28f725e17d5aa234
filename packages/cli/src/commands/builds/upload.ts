import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { collect, collectList, integerBetween } from '../../option-parsers.ts'
import type { UploadOptions } from './run-upload.ts'

export function addUpload(parent: Command, runtime: Runtime): void {
  addCommand<UploadOptions>(parent, runtime, {
    usage: 'upload <file>',
    summary: 'upload a build',
    description: 'Upload a build. Rerun the command to resume an interrupted upload.',
    example: 'quayside upload app-1.2.3.apk --stream nightlies --label smoke',
    options: (command) =>
      command
        .option('--stream <name>', 'stream to add the build to', 'default')
        .option('--platform <slug>', 'platform (default: detected from the file)')
        .option('--version <version>', 'version such as 1.2.3-rc.1 (default: from the tag or the file name)')
        .option('--extra <label>', 'pre-release label of the version, such as beta.2')
        .option('--meta <text>', 'build metadata of the version')
        .option('--build-number <text>', 'custom build number')
        .option('--label <name>', 'add a label (repeatable)', collectList)
        .option('--architecture <id>', 'add an architecture such as arm64v8 (repeatable)', collectList)
        .option('--custom-target <target>', 'custom target ID or name')
        .option('--notes <text>', 'release notes in Markdown')
        .option('--notes-file <path>', 'read the release notes from a file')
        .option('--expansion <path>', 'expansion file (OBB)')
        .option('--metadata <path>', 'attach a metadata file (repeatable)', collect)
        .option('--source <slug>', 'upload source (default: detected from the CI environment)')
        .option('--no-scm', 'do not send repository, branch, commit or CI run')
        .option('--parallel <number>', 'number of parts to upload in parallel', integerBetween(1, 32), 4),
    async run(context, [path = ''], options) {
      // Imported only here, because the other commands do not need the packages for reading the CI environment.
      const { runUpload } = await import('./run-upload.ts')
      await runUpload(context, path, options)
    },
  })
}
