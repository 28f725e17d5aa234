import type { ChannelFormat, FormatReadiness, Rollout } from '@quayside/sdk'
import { formatCount, plural } from '../../ui/format/bytes.ts'

/** The page of the documentation and what a format is for. */
type FormatText = { name: string; hint: string; docs: string }

export const formatTexts: Readonly<Record<ChannelFormat, FormatText>> = {
  sparkle: { name: 'Sparkle', hint: 'Updater of applications for macOS', docs: 'updates-sparkle' },
  winsparkle: { name: 'WinSparkle', hint: 'Updater of applications for Windows', docs: 'updates-sparkle' },
  electron: {
    name: 'electron-updater',
    hint: 'Applications built with electron-builder',
    docs: 'updates-electron',
  },
  tauri: { name: 'Tauri', hint: 'Updater plugin of Tauri 2', docs: 'updates-tauri' },
  velopack: { name: 'Velopack', hint: 'Full and delta packages for each system', docs: 'updates-velopack' },
  'squirrel-mac': {
    name: 'Squirrel.Mac',
    hint: 'autoUpdater of Electron on macOS',
    docs: 'updates-squirrel',
  },
  'squirrel-windows': {
    name: 'Squirrel.Windows',
    hint: 'autoUpdater of Electron on Windows',
    docs: 'updates-squirrel',
  },
  appimage: { name: 'AppImage', hint: 'Updates with zsync on Linux', docs: 'updates-appimage' },
  json: {
    name: 'Quayside JSON',
    hint: 'Applications that check for updates themselves',
    docs: 'updates-json',
  },
  hazel: {
    name: 'Hazel',
    hint: 'Installed applications that use a Hazel server',
    docs: 'updates-squirrel',
  },
  'electron-release-server': {
    name: 'electron-release-server',
    hint: 'Installed applications that use such a server',
    docs: 'updates-squirrel',
  },
  apt: { name: 'apt', hint: 'Packages for Debian and Ubuntu', docs: 'packages-apt' },
  rpm: { name: 'dnf and zypper', hint: 'Packages for Fedora, RHEL and openSUSE', docs: 'packages-rpm' },
  pacman: { name: 'pacman', hint: 'Packages for Arch Linux', docs: 'packages-pacman' },
  fdroid: { name: 'F-Droid', hint: 'Applications for Android', docs: 'packages-fdroid' },
  gitea: {
    name: 'Gitea releases',
    hint: 'Obtainium, mise, Renovate and Velopack’s GiteaSource',
    docs: 'packages-gitea',
  },
  homebrew: { name: 'Homebrew', hint: 'Tap with a cask for macOS', docs: 'packages-homebrew' },
  scoop: { name: 'Scoop', hint: 'Bucket with a manifest for Windows', docs: 'packages-scoop' },
  nuget: { name: 'NuGet', hint: 'Package source for .NET', docs: 'packages-nuget' },
  winget: { name: 'winget', hint: 'REST source for Windows', docs: 'packages-winget' },
  altstore: { name: 'AltStore', hint: 'Source for AltStore and SideStore on iOS', docs: 'packages-altstore' },
}

export const rolloutStateTexts: Readonly<Record<Rollout['state'], string>> = {
  active: 'Active',
  paused: 'Paused',
  stopped: 'Stopped',
  rolled_back: 'Rolled back',
}

/** What each state of a rollout means, in the dialog. */
export const rolloutStateHints: Readonly<Record<Rollout['state'], string>> = {
  active: 'The version is offered to this percentage of clients.',
  paused: 'The percentage stays as it is.',
  stopped: 'Nobody is offered the version. Clients that have it keep it.',
  rolled_back:
    'Nobody is offered the version, and clients that have it are offered the previous one if their format supports it.',
}

/** Who decides whether a client is offered a version whose rollout is not complete. */
export const rolloutSupportTexts: Readonly<Record<FormatReadiness['rollout'], string>> = {
  client_id: 'Rollouts by client ID',
  client: 'The client applies the percentage',
  complete_only: 'Offered once the rollout is complete',
}

export const channelText = {
  facts: 'Update servers for installed copies of the application',
  explanation:
    'A channel publishes a stream or the releases of the application in the formats of updaters, so that installed copies keep themselves up to date.',
  docs: 'About update channels',
  readOnly: 'Only application admins can create and change channels.',
  readOnlyRollouts: 'Only application admins and developers can change rollouts.',
  releases: 'Releases',
  prereleases: 'Releases and pre-releases',
  stream: (name: string) => `Stream ${name}`,
  access: { public: 'Public', read_keys: 'Read keys' },
  accessHints: {
    public: 'Everyone who knows the URL can read the channel.',
    read_keys: 'Clients send a read key in the URL or as a password. You can revoke each key.',
  },
  includesPrereleases: 'Include pre-releases such as 2.0.0-beta.1',
  formatsError: 'Select at least one format.',
  formatsSection:
    'What developers enter in the application or users in a package manager, and what the newest version lacks.',
  ready: (version: string | null) => (version === null ? 'Ready' : `${version} is ready`),
  notReady: 'Incomplete',
  addFile: 'Open the build to add files',
  rollouts:
    'Versions without a rollout are offered to everyone. Set the percentage of a version before you publish it.',
  noVersions: 'This channel has no versions yet. Publish a release or upload a build to its stream.',
  planned: 'Not published yet',
  everyone: 'Everyone',
  nobody: 'Nobody',
  share: (percentage: number) => `${percentage} % of clients`,
  growsUntil: 'Grows to 100 % until',
  growsBy: 'Grow evenly to 100 % until',
  critical: 'Critical: clients must not postpone or skip it',
  required: 'Required: older clients install it before a newer version',
  cohorts: 'Clients with read keys of these cohorts always get the version. Separate names with commas.',
  minimumOs: 'Minimum version of the operating system',
  stopRule: 'Stop when clients report failures',
  stopRuleHint:
    'Clients send reports to the URL of the channel. Everyone who can read the channel can send them, so use read keys if strangers must not stop a rollout.',
  failures: 'Failures',
  minimumReports: 'Minimum reports',
  failuresError: 'Enter a percentage above 0.',
  reportsError: 'Enter a number from 1.',
  stopsAt: ({ failures_percent: percent, minimum_reports: reports }: NonNullable<Rollout['stop_when']>) =>
    `Stops at ${percent} % failures of at least ${plural(reports, 'report')}`,
  reported: (failed: number, total: number) => `${formatCount(failed)} of ${plural(total, 'report')} failed`,
  ruleStopped: 'Stopped by its rule',
  ruleReports: ({ failures, reports }: NonNullable<Rollout['stopped_by_rule']>) =>
    `${formatCount(failures)} of ${plural(reports, 'report')} were failures,`,
  ruleNext: 'Continue the rollout to start a new count.',
  versionError: 'Enter a version such as 2.1.0 or 2.1.0-beta.1.',
  delete: 'Installed copies no longer find updates at the URLs of this channel. Builds and releases stay.',
  readKeys: 'Each customer gets a key that you can limit and revoke.',
  noReadKeys: 'No client can read this channel until you create a read key.',
  keyOnce: 'Copy the key now. It is shown only once.',
  keyUse: 'Clients use the URL with the key, or send the key as the password of HTTP Basic authentication.',
  revoke: 'Clients with this key stop receiving updates within a second. This cannot be undone.',
  cohort: 'Clients with this key belong to the cohort, for example testers. Rollouts can name it.',
  maxDownloads: 'Without a number, downloads are not limited.',
  saved: 'Channel saved.',
  deleteTitle: (name: string) => `Delete the channel ${name}?`,
  readKeyName: 'Enter a name that says who uses the key.',
  revokeTitle: (name: string) => `Revoke the read key ${name}?`,
} as const
