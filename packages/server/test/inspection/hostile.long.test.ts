import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InspectionError } from '../../src/inspection/inspection.ts'
import { hostileArchives } from '../hostile-archives.ts'
import type { HostileArchive } from '../hostile/bytes.ts'
import { inspectBytes } from './inspect-bytes.ts'
import { collectSamples, mutations } from './mutations.ts'
import { androidFramework, missing, temporaryFolder } from './programs.ts'

const mutationCount = Number(process.env['QUAYSIDE_INSPECTION_MUTATIONS'] ?? 300)
const seed = Number(process.env['QUAYSIDE_SEED'] ?? 1)
/** The slowest file takes 1.5 seconds on an idle machine. Inspection stops by itself after 15 seconds. */
const maxCpuSeconds = 3
/** CPU time that collecting 300,000 names takes on an idle machine. */
const idleUnitSeconds = 0.12

const cpuSecondsSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

/** Returns how much more CPU time this machine needs now than an idle one, because other programs use its caches. */
function slowness(): number {
  const start = process.cpuUsage()
  const names = new Map<string, object>()
  for (let index = 0; index < 300_000; index++) names.set(`name ${index}`, { index })
  assert.equal(names.size, 300_000)
  return Math.max(1, cpuSecondsSince(start) / idleUnitSeconds)
}

/** Inspects a file and returns the reason if the file is rejected. Fails on any other error and on slow files. */
async function refusalOf(file: HostileArchive): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const start = process.cpuUsage()
    const reason = await outcomeOf(file)
    const seconds = cpuSecondsSince(start)
    if (seconds < maxCpuSeconds || seconds < maxCpuSeconds * slowness()) return reason
    assert.ok(attempt < 3, `${file.name} takes ${seconds} s of CPU time.`)
  }
}

async function outcomeOf({ name, filetype, bytes }: HostileArchive): Promise<string | undefined> {
  try {
    assertPlain({ ...(await inspectBytes(bytes, filetype)), icon: null }, name)
    return undefined
  } catch (error) {
    if (!(error instanceof InspectionError))
      throw new Error(`${name} fails with another error.`, { cause: error })
    assertPlain(error.reason, name)
    assert.ok(error.reason.length < 250, name)
    return error.reason
  }
}

/** Asserts that every text can be stored in PostgreSQL and shown in a terminal. */
function assertPlain(value: unknown, name: string): void {
  const text = JSON.stringify(value)
  // JSON escapes control characters and unpaired surrogates.
  assert.doesNotMatch(text, /\\u[0-9a-f]{4}|\u007f/i, name)
  assert.ok(text.length < 300_000, name)
}

describe('inspection of hostile files', () => {
  test('returns metadata or a reason within the time limit', async () => {
    const refusals = new Map<string, string | undefined>()
    for (const archive of hostileArchives()) {
      assert.ok(!refusals.has(archive.name), `${archive.name} is not a unique name`)
      refusals.set(archive.name, await refusalOf(archive))
    }
    assert.ok(refusals.size >= 700, `There are only ${refusals.size} files.`)
    for (const [name, reason] of [
      ['ipa: full overlap', 'The archive contains overlapping entries.'],
      ['zip: a million entries', 'The archive contains overlapping entries.'],
      ['zip: more entries than the limit', undefined],
      ['apk: more entries than the limit', 'The archive has more than 1,000,000 entries.'],
      ['zip: names of 40 MB', 'The file names in the archive are too long.'],
      ['apk: parent folder in a name', 'The archive contains an entry with an unsafe name.'],
      ['apk: NUL in a name', 'The archive contains an entry with an unsafe name.'],
      ['apk: bomb with its true size', 'AndroidManifest.xml is too large.'],
      ['apk: bomb that declares 1 KiB', 'AndroidManifest.xml is damaged.'],
      ['apk: two entries of one name', 'The archive contains AndroidManifest.xml more than once.'],
      ['ipa: Info.plist: exponential entities', 'An XML property list declares entities.'],
      ['ipa: Info.plist: nested arrays', 'A property list is nested too deeply.'],
      [
        'ipa: Info.plist: binary: arrays in a circle',
        'A binary property list contains a circular reference.',
      ],
      ['ipa: Info.plist: binary: overlapping arrays', 'A binary property list contains overlapping objects.'],
      ['program: program of 400 MB', undefined],
      ['program: program larger than declared', undefined],
      ['program: program that is encrypted', undefined],
      ['program: two programs of one name', undefined],
      ['program: ELF program that is truncated', undefined],
      ['program: Mach-O program that is truncated', undefined],
      ['apks: APK that is not an archive', undefined],
      ['apks: APK that is empty', undefined],
      ['apks: APK of 400 MB', undefined],
      ['apks: manifest that is not JSON', undefined],
      ['apks: manifest of nested lists', undefined],
      ['apks: manifest of a junk APK', undefined],
      ['apks: manifest of an APK of 400 MB', undefined],
      ['appx: manifest is empty', undefined],
      ['appx: manifest is binary', undefined],
      ['appx: bundle of a bomb', undefined],
      ['nupkg: manifest is nested', undefined],
      ['whl: empty metadata', undefined],
      ['tar: package.json that is not JSON', undefined],
      ['tar: package.json that is null', undefined],
      ['tar: many programs', undefined],
      ['tar: zstd with a window of 2 GB', undefined],
      ['tar: archive that is truncated', undefined],
      ['tar: negative size', 'The tar archive is damaged.'],
      ['snap: only a superblock', undefined],
      ['apk: manifest: nested elements', 'A binary XML document is too large.'],
    ] as const)
      assert.equal(refusals.get(name), reason, name)
  })

  const tools =
    'aapt2 apksigner bsdtar clang dpkg-deb flatpak ld.lld lld-link mksquashfs openssl osslsigncode plistutil rpmbuild unzip wixl xorriso zip'.split(
      ' ',
    )
  test(
    'returns metadata or a reason for mutated real files',
    { skip: missing(...tools, androidFramework) },
    async () => {
      using folder = temporaryFolder()
      const samples = collectSamples(folder.path)
      for (const { name, filetype, bytes, wrap } of samples)
        assert.equal(await refusalOf({ name, filetype, bytes: wrap?.(bytes) ?? bytes }), undefined, name)
      for (const archive of mutations(samples, { count: mutationCount, seed })) await refusalOf(archive)
    },
  )
})
