import type { ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull, parseOrNull } from '../bytes.ts'
import { macArchitectures } from '../executables/inspect-mach-o.ts'
import {
  emptyInspection,
  unknownPackage,
  type ByteSource,
  type Icon,
  type Inspection,
} from '../inspection.ts'
import { codeSignatureStatus, displayNameOf, findAppIcon, readExecutables } from './app-bundle.ts'
import { readIcns } from './icns.ts'
import { textOf, type PlistDictionary } from './plist-value.ts'
import { maxPlistBytes, readPlist } from './plist.ts'
import { readProvisioningProfile, signerOf } from './provisioning-profile.ts'

const infoPath = /^(?:[^/]+\/)*?[^/]+\.app\/(?:Contents\/)?Info\.plist$/
const maxIcnsBytes = 8 * 2 ** 20

/** Returns the path of the Info.plist of the outermost application in the archive, or undefined. */
export function findAppInfo(zip: ZipArchive): string | undefined {
  const depthOf = (path: string) => path.split('/').length
  let found: string | undefined
  for (const name of zip.names)
    if (infoPath.test(name) && (found === undefined || depthOf(name) < depthOf(found))) found = name
  return found
}

/** Reads the Info.plist and the icon of a zipped application for macOS or the iOS simulator. */
export async function inspectApp(zip: ZipArchive, path: string, source: ByteSource): Promise<Inspection> {
  const info = readPlist(await zip.read(path, maxPlistBytes))
  const folder = path.slice(0, -'Info.plist'.length)
  const isMac = folder.endsWith('.app/Contents/')
  const executable = `${folder}${isMac ? 'MacOS/' : ''}${textOf(info, 'CFBundleExecutable')}`
  const profilePath = `${folder}embedded.provisionprofile`
  const profile = zip.has(profilePath)
    ? await orNull(zip.read(profilePath, maxPlistBytes).then(readProvisioningProfile))
    : null
  const { architectures, debugIds } = await readExecutables(zip, source, { folder, executable })
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'app',
      name: cleanText(displayNameOf(info)),
      version: cleanText(textOf(info, 'CFBundleShortVersionString')),
      build_number: cleanText(textOf(info, 'CFBundleVersion')),
      publisher: cleanText(profile?.team_name),
      minimum_os: cleanText(textOf(info, 'LSMinimumSystemVersion') ?? textOf(info, 'MinimumOSVersion')),
      signer: signerOf(profile),
      signature_status: codeSignatureStatus(zip, folder),
      architectures: isMac ? macArchitectures(architectures) : architectures,
    },
    icon: isMac ? await findMacIcon(zip, folder, info) : await findAppIcon(zip, folder, info),
    debug_ids: debugIds,
    provisioned_devices: profile?.devices ?? null,
  }
}

async function findMacIcon(zip: ZipArchive, folder: string, info: PlistDictionary): Promise<Icon | null> {
  const name = textOf(info, 'CFBundleIconFile') ?? 'AppIcon'
  const path = `${folder}Resources/${name.replace(/\.icns$/, '')}.icns`
  const bytes = zip.has(path) ? await orNull(zip.read(path, maxIcnsBytes)) : null
  return bytes === null ? null : parseOrNull(() => readIcns(bytes))
}
