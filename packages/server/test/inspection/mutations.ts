import { copyFileSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { HostileArchive } from '../hostile/bytes.ts'
import { buildApk, buildBundle, missingSamples, publishedApks, publishedIcon } from './android-packages.ts'
import {
  assetCatalog,
  binaryPlist,
  buildPkg,
  infoPlist,
  ipaFile,
  signPkg,
  signProfiles,
  universalExecutable,
  writeApplePng,
} from './apple-packages.ts'
import {
  appxBundleFile,
  appxFile,
  appxManifest,
  signAppx,
  signedNupkg,
  wheelFile,
} from './archive-packages.ts'
import { buildHfsPlus, diskImage } from './disk-images.ts'
import {
  appImageRuntime,
  buildAppImage,
  buildDeb,
  buildFlatpak,
  buildRpm,
  buildSnap,
} from './linux-packages.ts'
import { buildLinkedElf, buildMachO, signMachO, universalFile } from './native-code.ts'
import { createCertificate, packageFile, run } from './programs.ts'
import { buildInstaller, publishedExecutables } from './windows-packages.ts'
import { zipFile } from './zip-file.ts'

/** A file to mutate. If it is part of an archive, `wrap` puts the mutated part into the archive. */
type Sample = { name: string; filetype: string; bytes: Buffer; wrap?: (part: Buffer) => Buffer }

/** Builds the samples with the programs that scripts/install-test-tools.sh installs. */
export function collectSamples(path: (name: string) => string): Sample[] {
  const icon = publishedIcon()
  const apk = buildApk(path, icon)
  const bundle = buildBundle(path, apk)
  const part = (name: string) => run('unzip', ['-p', apk, name])
  const bundlePart = (name: string) => readFileSync(path(`bundle/${name}`))
  const [manifest, table] = [part('AndroidManifest.xml'), part('resources.arsc')]
  const profile = signProfiles(path).development
  const info = binaryPlist(infoPlist)
  const appleIcon = writeApplePng(20, 20, Buffer.alloc(1600, 0x7f))
  const executable = universalExecutable(0x0c, 0x0100000c)
  const ipa = { info, profile, icon: appleIcon, executable }
  const bundleManifest = bundlePart('base/manifest/AndroidManifest.xml')
  return [
    {
      name: 'published APK',
      filetype: 'apk',
      bytes: readFileSync(publishedApks[missingSamples ? 'v2' : 'v3']),
    },
    { name: 'APK', filetype: 'apk', bytes: readFileSync(apk) },
    { name: 'app bundle', filetype: 'aab', bytes: bundle },
    { name: 'IPA', filetype: 'ipa', bytes: ipaFile(ipa) },
    { name: 'executable', filetype: 'exe', bytes: readFileSync(publishedExecutables.signtool) },
    { name: 'installer', filetype: 'msi', bytes: buildInstaller(path, 'Quay') },
    ...signedPackages(path, apk),
    ...packages(path, icon),
    { name: 'Debian package', filetype: 'deb', bytes: buildDeb(path, 'xz') },
    { name: 'Debian package with zstd', filetype: 'deb', bytes: buildDeb(path, 'zstd') },
    { name: 'RPM package', filetype: 'rpm', bytes: readFileSync(buildRpm(path)) },
    ...['gzip', 'zstd'].map((compression) => {
      const image = buildAppImage(path, compression, icon)
      return { name: `AppImage with ${compression}`, filetype: 'appimage', bytes: image }
    }),
    {
      name: 'squashfs',
      filetype: 'appimage',
      bytes: readFileSync(path('sample.squashfs')),
      wrap: (data) => Buffer.concat([appImageRuntime(), data]),
    },
    {
      name: 'binary manifest',
      filetype: 'apk',
      bytes: manifest,
      wrap: (data) =>
        zipFile([
          { name: 'AndroidManifest.xml', data },
          { name: 'resources.arsc', data: table },
        ]),
    },
    {
      name: 'resource table',
      filetype: 'apk',
      bytes: table,
      wrap: (data) =>
        zipFile([
          { name: 'AndroidManifest.xml', data: manifest },
          { name: 'resources.arsc', data },
        ]),
    },
    {
      name: 'protobuf manifest',
      filetype: 'aab',
      bytes: bundleManifest,
      wrap: (data) => zipFile([{ name: 'base/manifest/AndroidManifest.xml', data }]),
    },
    {
      name: 'protobuf resources',
      filetype: 'aab',
      bytes: bundlePart('base/resources.pb'),
      wrap: (data) =>
        zipFile([
          { name: 'base/manifest/AndroidManifest.xml', data: bundleManifest },
          { name: 'base/resources.pb', data },
        ]),
    },
    {
      name: 'binary Info.plist',
      filetype: 'ipa',
      bytes: info,
      wrap: (data) => ipaFile({ ...ipa, info: data }),
    },
    {
      name: 'XML Info.plist',
      filetype: 'ipa',
      bytes: Buffer.from(infoPlist),
      wrap: (data) => ipaFile({ info: data }),
    },
    { name: 'profile', filetype: 'ipa', bytes: profile, wrap: (data) => ipaFile({ info, profile: data }) },
    {
      name: 'asset catalog',
      filetype: 'ipa',
      bytes: assetCatalog({ AppIcon: 1 }, [
        { asset: 1, tag: 'DWAR', data: icon },
        { asset: 1, tag: 'MLEC', data: icon },
      ]),
      wrap: (catalog) => ipaFile({ info, catalog }),
    },
    { name: 'CgBI icon', filetype: 'ipa', bytes: appleIcon, wrap: (data) => ipaFile({ info, icon: data }) },
    {
      name: 'JAR signature',
      filetype: 'jar',
      bytes: profile,
      wrap: (data) =>
        zipFile([
          { name: 'META-INF/MANIFEST.MF', data: readFileSync(packageFile('yauzl/README.md')) },
          { name: 'META-INF/A.SF' },
          { name: 'META-INF/A.RSA', data },
        ]),
    },
  ]
}

/** Returns packages of stores and package managers, and executables. */
function packages(path: (name: string) => string, icon: Buffer): Sample[] {
  const apk = readFileSync(path('unsigned.apk'))
  const macho = signMachO(path, readFileSync(buildMachO(path, 'arm64')))
  const appx = appxFile(icon)
  copyFileSync(publishedExecutables.signtool, path('signed.exe'))
  run('tar', [
    '-C',
    path('.'),
    '-czf',
    path('program.tar.gz'),
    '--transform=s,.*,tool/tool.exe,',
    'signed.exe',
  ])
  const volume = buildHfsPlus(path, {
    'A.app/Contents/Info.plist': infoPlist,
    'A.app/Contents/MacOS/quay': macho,
  })
  const samples: Record<string, Buffer> = {
    'app package': signAppx(path, appx) ?? appx,
    'app bundle for Windows': appxBundleFile(icon),
    'NuGet package': signedNupkg(path, icon),
    wheel: wheelFile(),
    'APK set': zipFile([{ name: 'toc.pb' }, { name: 'universal.apk', data: apk }]),
    XAPK: zipFile([
      { name: 'manifest.json', data: '{}' },
      { name: 'base.apk', data: apk },
    ]),
    'zipped program': zipFile([{ name: 'tool', data: macho, isDeflated: true }]),
    'archived program': readFileSync(path('program.tar.gz')),
    'ELF library': readFileSync(buildLinkedElf(path, 'x86_64')),
    'ELF library for MIPS': readFileSync(buildLinkedElf(path, 'mips')),
    'Mach-O library': macho,
    'universal library': universalFile([{ type: 0x0100000c, bytes: macho }]),
    snap: buildSnap(path, 'lzo', icon),
    'snap with LZ4': buildSnap(path, 'lz4', icon),
    'Flatpak bundle': buildFlatpak(path, icon),
    'installer package for macOS': signPkg(path, buildPkg(path)),
    'disk image': diskImage(volume),
  }
  const parts: Sample[] = [
    {
      name: 'HFS+ volume',
      filetype: 'none',
      bytes: volume.subarray(0, 512 * 1024),
      wrap: (data) => diskImage(data, { method: 'raw' }),
    },
    {
      name: 'tar archive',
      filetype: 'none',
      bytes: run('gzip', ['-dc', path('program.tar.gz')]),
      wrap: (data) => gzipSync(data, { level: 1 }),
    },
    {
      name: 'manifest of an app package',
      filetype: 'none',
      bytes: Buffer.from(appxManifest),
      wrap: (data) => zipFile([{ name: 'AppxManifest.xml', data }]),
    },
  ]
  return [...Object.entries(samples).map(([name, bytes]) => ({ name, filetype: 'none', bytes })), ...parts]
}

/** Returns an APK with all signature schemes, one with only scheme v1, and a signed installer. */
function signedPackages(path: (name: string) => string, apk: string): Sample[] {
  const { key, certificate } = createCertificate(path, '/CN=Quay Signer')
  const options = ['--v1-signing-enabled', 'true', '--v4-signing-enabled', 'false', '--min-sdk-version', '21']
  const keys = ['--key', key, '--cert', certificate]
  run('apksigner', ['sign', ...keys, ...options, '--out', path('signed.apk'), apk])
  const installer = ['-certs', certificate, '-key', key, '-add-msi-dse', '-in', path('sample.msi')]
  run('osslsigncode', ['sign', ...installer, '-out', path('signed.msi')])
  const jar = ['--v2-signing-enabled', 'false', '--v3-signing-enabled', 'false', '--out', path('signed.jar')]
  run('apksigner', ['sign', ...keys, ...options, ...jar, apk])
  return [
    { name: 'signed APK', filetype: 'apk', bytes: readFileSync(path('signed.apk')) },
    { name: 'JAR signature scheme', filetype: 'apk', bytes: readFileSync(path('signed.jar')) },
    { name: 'signed installer', filetype: 'msi', bytes: readFileSync(path('signed.msi')) },
  ]
}

type Random = (limit: number) => number

/** Returns a generator of pseudorandom integers below a limit that depends only on the seed (xorshift32). */
export function createRandom(seed: number): Random {
  let state = seed | 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

const unusualNumbers = [
  0, 1, 7, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
]

const changes: readonly ((bytes: Buffer, at: number, random: Random) => Buffer)[] = [
  (bytes, at, random) => replace(bytes, at, Buffer.from([random(256)])),
  (bytes, at, random) => replace(bytes, at, Buffer.from([(bytes[at] ?? 0) ^ (1 << random(8))])),
  (bytes, at, random) =>
    replace(bytes, at, number(unusualNumbers[random(unusualNumbers.length)] ?? 0, random)),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(64))]),
  (bytes, at, random) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random(64), random(256)), bytes.subarray(at)]),
  (bytes, at, random) => replace(bytes, at, bytes.subarray(random(bytes.length)).subarray(0, random(200))),
  (bytes, at) => bytes.subarray(0, at),
]

function replace(bytes: Buffer, at: number, part: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  part.copy(copy, at)
  return copy
}

function number(value: number, random: Random): Buffer {
  const bytes = Buffer.alloc(4)
  if (random(2) === 0) bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes.subarray(0, [1, 2, 4][random(3)])
}

/** Yields mutated files. Half of the changes are near the start or end, where most formats have their structure. */
export function* mutations(
  samples: Sample[],
  options: { count: number; seed: number },
): Generator<HostileArchive> {
  const random = createRandom(options.seed)
  for (let index = 0; index < options.count; index++) {
    const sample = samples[index % samples.length]
    if (sample === undefined) return
    let { bytes } = sample
    for (let step = random(4); step >= 0 && bytes.length > 0; step--) {
      const near = random(Math.min(bytes.length, 2048))
      const at = [random(bytes.length), near, bytes.length - 1 - near, random(bytes.length)][random(4)] ?? 0
      bytes = changes[random(changes.length)]?.(bytes, at, random) ?? bytes
    }
    yield { name: `${sample.name} ${index}`, filetype: sample.filetype, bytes: sample.wrap?.(bytes) ?? bytes }
  }
}
