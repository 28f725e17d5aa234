import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import {
  collect,
  collectList,
  integerBetween,
  parseDurationSeconds,
  parseWebUrl,
} from '../../option-parsers.ts'
import type { ResultFields } from '../../output/declared-fields.ts'
import type { UploadOptions } from './upload-options.ts'
import { withTargetOptions } from './upload-target.ts'

/** The fields of an upload or, with `--dry-run`, of its request. */
const resultFields: ResultFields = {
  build_id: false,
  version: false,
  build_info_url: false,
  download_url: false,
  pending_processing: false,
  processing: false,
  checksum_sha256: false,
  checksum_md5: false,
  unchanged: false,
  sent_bytes: false,
  reused_bytes: false,
  metadata_artifacts: { filename: false, metadata_artifact_id: false },
  release_id: false,
  notified_count: false,
  build: 'getBuild',
  dry_run: false,
  request: true,
  release: false,
  releaseId: false,
  groupId: false,
}

export function addUpload(parent: Command, runtime: Runtime): void {
  addCommand<UploadOptions>(parent, runtime, {
    usage: 'upload <file>',
    summary: 'upload a build',
    description:
      'Upload a file, or a folder as a ZIP archive, as a build. Rerun the command to resume an interrupted upload.\n' +
      'Files that match a pattern in .quaysideignore, which has the format of .gitignore, are left out of the archive.',
    result: resultFields,
    example: 'quayside upload app-1.2.3.apk --stream nightlies --label smoke',
    options(command) {
      command
        .option('--stream <name>', 'stream to add the build to', 'default')
        .option('--platform <slug>', 'platform (default: detected from the file)')
        .option('--version <version>', 'version such as 1.2.3-rc.1 (default: from the file name or the tag)')
        .addOption(
          new Option('--version-from <source>', 'where to read the version').choices(['tag', 'filename']),
        )
        .option('--extra <label>', 'pre-release label of the version, such as beta.2')
        .option('--meta <text>', 'build metadata of the version')
        .option(
          '--build-number <text>',
          'custom build number (default: from the file name or the CI environment)',
        )
        .option('--label <name>', 'add a label (repeatable)', collectList)
        .option('--architecture <id>', 'add an architecture such as arm64v8 (repeatable)', collectList)
        .option('--custom-target <target>', 'custom target ID or name')
        .option('--notes <text>', 'release notes in Markdown')
        .option('--notes-file <path>', 'read the release notes from a file (use - for standard input)')
        .option('--expansion <path>', 'expansion file (OBB)')
        .option('--keep-times', 'keep the modification times of the files of a folder (default: fixed times)')
        .option('--metadata <path>', 'attach a metadata file (repeatable)', collect)
        .option('--source <slug>', 'upload source (default: detected from the CI environment)')
        .option('--branch <name>', 'branch (default: from the CI environment or Git)')
        .option('--commit <sha>', 'commit (default: from the CI environment or Git)')
        .option('--repository <url>', 'repository URL or name (default: from the CI environment or Git)')
        .option('--run-id <id>', 'ID of the CI run (default: from the CI environment)')
        .option('--run-url <url>', 'URL of the CI run (default: from the CI environment)', parseWebUrl)
        .option('--no-scm', 'do not detect repository, branch, commit, build number or CI run')
        .option('--no-reuse', 'send all bytes, also those that earlier builds contain')
        .option('--parallel <number>', 'number of parts to upload in parallel', integerBetween(1, 32), 4)
        .option(
          '--retry-for <duration>',
          'how long to keep trying while the server is unreachable, such as 30m',
          parseDurationSeconds,
        )
        .option('--write-env <path>', 'write variables such as QUAYSIDE_BUILD_ID to a file, for later steps')
      return withTargetOptions(command)
    },
    async run(context, [path = ''], options) {
      // The module is imported lazily, because the other commands do not need the CI detection packages.
      const { runUpload } = await import('./run-upload.ts')
      await runUpload(context, path, options)
    },
  })
}
