import { formatBytes } from '../../ui/format/bytes.ts'

type Version = { version: string }
type Stored = { storage_usage: { total_bytes: number }; physical_bytes: number }

/** The sentences of the pages of a build. */
export const buildText = {
  none: 'Builds appear here once they are uploaded.',
  noMatch: 'Remove a filter above, or search for another version, branch, commit or file name.',
  emptyTrash: 'Deleted builds stay here for a few days and can be restored until then.',
  noLabels: 'No labels yet. Create them in the settings.',
  linkCopied: 'Link copied.',
  downloadFor: (platform: string) => `Download for ${platform}`,
  uploadFirst: 'Drop a file on the upload page, run the command below, or',
  trashed: {
    title: 'This build is in the trash',
    keptUntil: (time: string) =>
      `It can be restored until ${time}. After that, its files are deleted permanently.`,
    restored: '1 build restored.',
    notRestorable: 'Ask someone who can change builds to restore it.',
  },
  processing: {
    title: 'Reading the package',
    state: 'Reading package…',
    detail:
      'Its name, version, signature and icon appear here in a moment. The build can already be downloaded.',
  },
  failed: {
    title: 'The package could not be read',
    detail: 'The file was stored as uploaded and can be downloaded, but its metadata could not be read.',
  },
  expiring: (stream: string, days: number | null) =>
    days === null
      ? `It then moves from ${stream} to the trash.`
      : `Builds in ${stream} are kept for ${days} days.`,
  countdown: (stream: string, days: number | null, time: string) =>
    `${days === null ? `Builds in ${stream} expire.` : `Builds in ${stream} are kept for ${days} days.`} This one moves to the trash on ${time} unless you keep, release or share it.`,
  group: {
    by: { version: 'Version', run: 'CI run', branch: 'Branch', none: 'Nothing' },
    builds: ({ version }: Version, count: number) => `${count} builds of ${version}`,
    open: ({ version }: Version, count: number) => `Show ${count} builds of ${version}`,
    close: ({ version }: Version, builds: string) => `Hide the ${builds} of ${version}`,
    newest: (shown: number, count: number) => `newest ${shown} of ${count} builds`,
  },
  notes: {
    empty: 'No notes yet. Tell testers what to look at.',
    emptyReadonly: 'No notes.',
    help: 'Supports Markdown.',
  },
  install: {
    scan: 'Scan to open this build on your phone',
    scanDetail: 'Opens this page on your phone, where you can install the build.',
    bundle: 'Android cannot install an app bundle, and no universal APK was derived from it.',
  },
  noPackage: 'Quayside does not read metadata from this file type.',
  signature: {
    valid: 'Valid: the content matches the signature',
    invalid: 'Invalid: the file was changed after it was signed',
    unsigned: 'Not signed',
    unknown: 'Signed, but not verified',
  },
  permissions: {
    none: 'The package requests no permissions.',
    sensitive: 'gives access to personal data or sensors',
  },
  profile: {
    expired: 'The provisioning profile has expired. Devices no longer start this build.',
    devices: (count: number) =>
      count === 1
        ? 'Only the device registered in the profile can install this build.'
        : `Only the ${count} devices registered in the profile can install this build.`,
  },
  verify: {
    drop: 'Drop a file to compare it with this build',
    dropDetail: 'The file is hashed in your browser and is not uploaded.',
    hint: 'Drop a file anywhere on this page to check whether it belongs to this build. The file stays on your computer.',
    matches: (name: string) => `Matches ${name}`,
    differs: (name: string) => `Differs from ${name}`,
    differsDetail: 'The sizes match, but the SHA-256 checksums do not. The file was changed or damaged.',
    sizes: (expected: string, actual: string) => `${expected} expected, but the file has ${actual}.`,
    noChecksum: 'The stored file has no checksum yet. Try again in a moment.',
  },
  files: {
    damaged: 'Damaged',
    computing: 'Computing…',
    unreadable: 'The file could not be read.',
    noUniversal:
      'There is no universal APK: bundletool is not configured on the server, or it could not read the bundle.',
  },
  artifacts: {
    emptyTitle: 'No artifacts',
    empty:
      'Keep test reports, bills of materials, symbols and logs with the build. JUnit, NUnit and TRX reports and CycloneDX or SPDX documents can be viewed here.',
    formats: {
      apk_signature: 'APK signature (v4)',
      breakpad: 'Breakpad symbols',
      cobertura: 'Cobertura report',
      cyclonedx: 'CycloneDX',
      dsym: 'dSYM symbols',
      elf_symbols: 'ELF symbols',
      junit: 'JUnit report',
      native_symbols: 'Native symbols',
      nunit: 'NUnit report',
      pdb: 'Program database',
      proguard_mapping: 'ProGuard mapping',
      r8_mapping: 'R8 mapping',
      sarif: 'SARIF report',
      spdx: 'SPDX',
      trx: 'TRX report',
    },
    tooLong: (shown: string) => `Only the first ${shown} are shown. Download the file to see the rest.`,
    notText: 'This file cannot be shown as text. Download it to open it.',
    unreadable: (status: number) => `The artifact could not be read (status ${status}).`,
    noComponent: 'No component matches.',
    firstOnly: (count: number) => `Showing the first ${count}. Search to find the others.`,
    allPassed: 'Every test passed.',
    uploaded: (name: string) => `${name} was added to the build.`,
    deleteWarning: 'The file is deleted permanently. This cannot be undone.',
  },
  downloads: {
    emptyTitle: 'No downloads yet',
    empty:
      'Every download is recorded here with its time, channel and address. Share the build to get its first download.',
    latest: (count: string) => `Based on the ${count} most recent downloads.`,
  },
  compare: {
    emptyTitle: 'Nothing to compare with',
    empty: (platform: string) =>
      `This is the first ${platform} build. Choose any other build to compare with.`,
    same: 'The package metadata is identical.',
    unread: 'One package could not be read, so signers, permissions and minimum versions are not compared.',
    noRisk: 'Nothing risky was found: same signer, no new sensitive permissions, no dropped devices.',
    noMatch: 'No build matches.',
    entries: 'Changed entries',
    kinds: {
      added: 'Added',
      changed: 'Changed',
      removed: 'Removed',
      renamed: 'Renamed',
      unchanged: 'Unchanged',
    },
    sameEntries: 'All entries are identical.',
    noEntryMatches: 'No changed entry matches.',
    more: (total: string) => `Show more of ${total} changed entries`,
    was: (path: string) => `was ${path}`,
    reused: (shared: string, size: string) =>
      `Testers who have the earlier build can reuse ${shared} of ${size} with --reuse.`,
    unreadable: {
      unsupported: (name: string) =>
        `${name} cannot be opened. Entries are compared in ZIP archives, such as APK, IPA and JAR files, and in tar archives.`,
      encrypted: (name: string) => `${name} is encrypted, so its entries cannot be compared.`,
      invalid: (name: string) => `${name} is damaged or unsafe, so its entries cannot be compared.`,
      too_large: (name: string) => `${name} has too many entries or too much data to be compared.`,
      failed: (name: string) => `Comparing ${name} took too much time or memory.`,
    },
  },
  activity: {
    empty: 'No changes recorded.',
  },
  delete: {
    done: '1 build moved to the trash.',
    held: 'It moves to the trash and can be restored. Until then, these no longer offer it:',
  },
} as const

const sharesBytes = ({ storage_usage: { total_bytes: total }, physical_bytes: physical }: Stored): boolean =>
  physical !== total

/** The sentences about the storage of an application. */
export const storageText = {
  stored: (application: Stored) =>
    sharesBytes(application)
      ? `${formatBytes(application.storage_usage.total_bytes)}, stored as ${formatBytes(application.physical_bytes)}`
      : `${formatBytes(application.storage_usage.total_bytes)} stored`,
  storedAs: (application: Stored) =>
    sharesBytes(application) ? `Stored as ${formatBytes(application.physical_bytes)}` : undefined,
  help: (application: Stored) =>
    `Files, artifacts, icons and universal APKs of all builds, including those in the trash.${
      sharesBytes(application) ? ' Bytes that builds share are stored once.' : ''
    }`,
  reused: (reused: number, size: number) =>
    `${formatBytes(size - reused)} were sent, ${formatBytes(reused)} are from earlier builds.`,
} as const
