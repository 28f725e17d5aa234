import type { ArchiveFile } from '../../../lib/archives/archive-file.ts'
import { zipArchive } from '../../../lib/archives/zip.ts'
import { writeManifest } from './android-manifest.ts'
import { sampleIcon } from './sample-icon.ts'

export type SampleVersion = { version: string; buildNumber: number }

const packageName = 'com.example.sample'
const modifiedAt = new Date('2026-01-01T00:00:00Z')
const note = Buffer.from('This file is part of the sample application of Quayside. It cannot be installed.\n')

const archive = (files: ArchiveFile[]): Buffer =>
  zipArchive([...files, { path: 'README.txt', content: note }], modifiedAt)

/** Returns an Android package with a manifest and an icon, but without code or signature. */
export function sampleApk({ version, buildNumber }: SampleVersion): Buffer {
  const iconPath = 'res/mipmap-xxhdpi/launcher.png'
  const manifest = writeManifest({
    packageName,
    label: 'Sample',
    versionName: version,
    versionCode: buildNumber,
    minimumApi: 26,
    targetApi: 36,
    isDebuggable: false,
    permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
    iconPath,
  })
  return archive([
    { path: 'AndroidManifest.xml', content: manifest },
    { path: iconPath, content: sampleIcon() },
  ])
}

/** Returns an iOS application with its property list and icon, but without code or provisioning profile. */
export function sampleIpa(version: SampleVersion): Buffer {
  const icons = `<key>CFBundleIcons</key><dict><key>CFBundlePrimaryIcon</key><dict><key>CFBundleIconFiles</key>
    <array><string>AppIcon</string></array></dict></dict>`
  return archive([
    {
      path: 'Payload/Sample.app/Info.plist',
      content: infoPlist(version, { MinimumOSVersion: '17.0' }, icons),
    },
    { path: 'Payload/Sample.app/AppIcon@3x.png', content: sampleIcon() },
  ])
}

/** Returns a zipped macOS application with its property list, but without code. */
export const sampleMacApp = (version: SampleVersion): Buffer =>
  archive([
    {
      path: 'Sample.app/Contents/Info.plist',
      content: infoPlist(version, { LSMinimumSystemVersion: '14.0' }),
    },
  ])

function infoPlist(
  { version, buildNumber }: SampleVersion,
  others: Record<string, string>,
  more = '',
): Buffer {
  const texts = {
    CFBundleIdentifier: packageName,
    CFBundleName: 'Sample',
    CFBundleExecutable: 'Sample',
    CFBundleShortVersionString: version,
    CFBundleVersion: String(buildNumber),
    ...others,
  }
  const entries = Object.entries(texts).map(([key, text]) => `<key>${key}</key><string>${text}</string>`)
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>${entries.join('')}${more}</dict></plist>\n`,
  )
}
