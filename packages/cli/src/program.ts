import { Command, CommanderError } from 'commander'
import { addCommandGroup, withGlobalOptions } from './add-command.ts'
import type { Runtime } from './command-context.ts'
import { addApi } from './commands/api/api.ts'
import { addApplicationsCreate } from './commands/applications/create.ts'
import { addApplicationsDelete } from './commands/applications/delete.ts'
import { addApplicationsEdit } from './commands/applications/edit.ts'
import { addApplicationsList } from './commands/applications/list.ts'
import { addApplicationsRestore } from './commands/applications/restore.ts'
import { addApplicationsView } from './commands/applications/view.ts'
import { addAuditList } from './commands/audit/list.ts'
import { addBuildsDelete } from './commands/builds/delete.ts'
import { addDownload } from './commands/builds/download.ts'
import { addBuildsEdit } from './commands/builds/edit.ts'
import { addBuildsLabel } from './commands/builds/label.ts'
import { addBuildsList } from './commands/builds/list.ts'
import { addBuildsMove } from './commands/builds/move.ts'
import { addBuildsRestore } from './commands/builds/restore.ts'
import { addUpload } from './commands/builds/upload.ts'
import { addBuildsView } from './commands/builds/view.ts'
import { addBuildsWatch } from './commands/builds/watch.ts'
import { addCompletion } from './commands/completion/completion.ts'
import { addKeysCreate } from './commands/keys/create.ts'
import { addKeysList } from './commands/keys/list.ts'
import { addKeysRevoke } from './commands/keys/revoke.ts'
import { addLabelsCreate } from './commands/labels/create.ts'
import { addLabelsDelete } from './commands/labels/delete.ts'
import { addLabelsEdit } from './commands/labels/edit.ts'
import { addLabelsList } from './commands/labels/list.ts'
import { addLabelsPromote } from './commands/labels/promote.ts'
import { addMembersInvite } from './commands/members/invite.ts'
import { addMembersList } from './commands/members/list.ts'
import { addMembersRemove } from './commands/members/remove.ts'
import { addMirror } from './commands/mirror/mirror.ts'
import { addOpen } from './commands/open/open.ts'
import { addPlatformsAdd } from './commands/platforms/add.ts'
import { addPlatformsList } from './commands/platforms/list.ts'
import { addPlatformsRemove } from './commands/platforms/remove.ts'
import { addReleasesAdd } from './commands/releases/add.ts'
import { addReleasesCreate } from './commands/releases/create.ts'
import { addReleasesDelete } from './commands/releases/delete.ts'
import { addReleasesEdit } from './commands/releases/edit.ts'
import { addReleasesList } from './commands/releases/list.ts'
import { addReleasesPublish } from './commands/releases/publish.ts'
import { addReleasesRemove } from './commands/releases/remove.ts'
import { addReleasesSchedule } from './commands/releases/schedule.ts'
import { addReleasesView } from './commands/releases/view.ts'
import { addReleasesWithdraw } from './commands/releases/withdraw.ts'
import { addLogin } from './commands/session/login.ts'
import { addLogout } from './commands/session/logout.ts'
import { addStatus } from './commands/session/status.ts'
import { addShare } from './commands/share/share.ts'
import { addStreamsCreate } from './commands/streams/create.ts'
import { addStreamsDelete } from './commands/streams/delete.ts'
import { addStreamsEdit } from './commands/streams/edit.ts'
import { addStreamsList } from './commands/streams/list.ts'
import { addStreamsView } from './commands/streams/view.ts'
import { addVerify } from './commands/verify/verify.ts'
import { addWebhooksCreate } from './commands/webhooks/create.ts'
import { addWebhooksDelete } from './commands/webhooks/delete.ts'
import { addWebhooksDeliveries } from './commands/webhooks/deliveries.ts'
import { addWebhooksEdit } from './commands/webhooks/edit.ts'
import { addWebhooksList } from './commands/webhooks/list.ts'
import { addWebhooksRedeliver } from './commands/webhooks/redeliver.ts'
import { addWebhooksTest } from './commands/webhooks/test.ts'
import { addWebhooksView } from './commands/webhooks/view.ts'
import { version } from './defaults.ts'
import { exitCodes, Failure, toFailureReport } from './failure.ts'
import { formatFooter, subcommandTerm } from './help.ts'
import { isJsonSelected, normalizeJsonOption } from './json-option.ts'
import { createOutput } from './output/output.ts'

/** Runs a command. `args` excludes the program name. Resolves with the exit code and never rejects. */
export async function runQuayside(args: string[], runtime: Runtime): Promise<number> {
  let usageError = ''
  const program = createProgram(runtime, (text) => (usageError += text))
  if (args[0] === '__complete') {
    const { completionLines } = await import('./commands/completion/candidates.ts')
    runtime.stdout.write(completionLines(program, args.slice(1)))
    return 0
  }
  const words = args.length === 0 ? ['--help'] : normalizeJsonOption(program, withoutHelp(program, args))
  const isJson = isJsonSelected(words)
  try {
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      if (isJson) createOutput(runtime, true).failure({ message: usageMessage(error), kind: 'usage' })
      else runtime.stderr.write(rewordUsageError(usageError).replace(/^error: /, 'quayside: '))
      return exitCodes.usage
    }
    const isInterrupted = runtime.signal.aborted && !(error instanceof Failure)
    const report = toFailureReport(isInterrupted ? new Failure('interrupted', 'Interrupted.') : error)
    createOutput(runtime, isJson).failure(report)
    return exitCodes[report.kind]
  }
}

/** Removes `help` before an unknown command, because Commander would show the help of the program without an error. */
function withoutHelp(program: Command, args: string[]): string[] {
  const [first, second] = args
  const isUnknown = second !== undefined && !program.commands.some((command) => command.name() === second)
  return first === 'help' && isUnknown && !second.startsWith('-') ? args.slice(1) : args
}

function usageMessage({ code, message }: CommanderError): string {
  // Commander shows the help of a group that is run without a command.
  if (code === 'commander.help') return 'A command is required. Run with --help to see the commands.'
  return rewordUsageError(message)
    .replace(/^error: /, '')
    .replace("'--json='", "'--json'")
    .replaceAll('\n', ' ')
}

/** Replaces the wording of Commander for an invalid argument. */
function rewordUsageError(text: string): string {
  return text.replace(
    /command-argument value ('.*?') is invalid for argument ('.*?')/,
    'value $1 is invalid for the argument $2',
  )
}

/** Creates the command tree. `writeUsageError` receives the text that Commander prints before it throws an error. */
export function createProgram(runtime: Runtime, writeUsageError: (text: string) => void): Command {
  const program = new Command('quayside')
    .description('Upload, list and download builds on a Quayside server.')
    .version(version, '-V, --version', 'print the version')
    // Without this, `upload --version` would print the program version.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Run the command with --help for usage.')
    .configureOutput({
      writeOut: (text) => void runtime.stdout.write(text),
      writeErr: writeUsageError,
    })
    .helpOption('-h, --help', 'show help')
    .configureHelp({ subcommandTerm })
    .commandsGroup('Other commands:')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', formatFooter())
  withGlobalOptions(program)
  program.commandsGroup('Core commands:')
  addUpload(program, runtime)
  addDownload(program, runtime)
  addMirror(program, runtime)
  addVerify(program, runtime)
  addShare(program, runtime)
  const builds = addCommandGroup(program, 'builds', 'list, show and change builds')
  addBuildsList(builds, runtime)
  addBuildsView(builds, runtime)
  addDownload(builds, runtime)
  addBuildsEdit(builds, runtime)
  addBuildsLabel(builds, runtime)
  addBuildsMove(builds, runtime)
  addBuildsDelete(builds, runtime)
  addBuildsRestore(builds, runtime)
  addBuildsWatch(builds, runtime)
  const releases = addCommandGroup(program, 'releases', 'list, show, create, change and publish releases')
  addReleasesList(releases, runtime)
  addReleasesView(releases, runtime)
  addReleasesCreate(releases, runtime)
  addReleasesEdit(releases, runtime)
  addReleasesAdd(releases, runtime)
  addReleasesRemove(releases, runtime)
  addReleasesPublish(releases, runtime)
  addReleasesSchedule(releases, runtime)
  addReleasesWithdraw(releases, runtime)
  addReleasesDelete(releases, runtime)
  const applications = addCommandGroup(program, 'applications', 'create, list, show and change applications')
  addApplicationsList(applications, runtime)
  addApplicationsView(applications, runtime)
  addApplicationsCreate(applications, runtime)
  addApplicationsEdit(applications, runtime)
  addApplicationsDelete(applications, runtime)
  addApplicationsRestore(applications, runtime)
  program.commandsGroup('Management commands:')
  const platforms = addCommandGroup(
    program,
    'platforms',
    'list, add and remove the platforms of an application',
  )
  addPlatformsList(platforms, runtime)
  addPlatformsAdd(platforms, runtime)
  addPlatformsRemove(platforms, runtime)
  const keys = addCommandGroup(program, 'keys', 'create, list and revoke API keys')
  addKeysCreate(keys, runtime)
  addKeysList(keys, runtime)
  addKeysRevoke(keys, runtime)
  const streams = addCommandGroup(program, 'streams', 'list, show, create, edit and delete streams')
  addStreamsList(streams, runtime)
  addStreamsView(streams, runtime)
  addStreamsCreate(streams, runtime)
  addStreamsEdit(streams, runtime)
  addStreamsDelete(streams, runtime)
  const labels = addCommandGroup(program, 'labels', 'list, create, edit, delete and promote labels')
  addLabelsList(labels, runtime)
  addLabelsCreate(labels, runtime)
  addLabelsEdit(labels, runtime)
  addLabelsDelete(labels, runtime)
  addLabelsPromote(labels, runtime)
  const webhooks = addCommandGroup(program, 'webhooks', 'list, show, create, change and test webhooks')
  addWebhooksList(webhooks, runtime)
  addWebhooksView(webhooks, runtime)
  addWebhooksCreate(webhooks, runtime)
  addWebhooksEdit(webhooks, runtime)
  addWebhooksDelete(webhooks, runtime)
  addWebhooksTest(webhooks, runtime)
  addWebhooksDeliveries(webhooks, runtime)
  addWebhooksRedeliver(webhooks, runtime)
  const members = addCommandGroup(program, 'members', 'list, invite and remove members')
  addMembersList(members, runtime)
  addMembersInvite(members, runtime)
  addMembersRemove(members, runtime)
  const audit = addCommandGroup(program, 'audit', 'list the audit log')
  addAuditList(audit, runtime)
  program.commandsGroup('Automation commands:')
  addApi(program, runtime)
  addCompletion(program, runtime)
  program.commandsGroup('Connection commands:')
  addLogin(program, runtime)
  addLogout(program, runtime)
  addStatus(program, runtime)
  addOpen(program, runtime)
  return program
}
