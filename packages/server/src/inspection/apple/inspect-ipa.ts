import { openZip, type ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull } from '../bytes.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type ByteSource,
  type Inspection,
  type IosInfo,
} from '../inspection.ts'
import { codeSignatureStatus, displayNameOf, findAppIcon, readExecutables } from './app-bundle.ts'
import { textOf, type PlistDictionary } from './plist-value.ts'
import { maxPlistBytes, readPlist } from './plist.ts'
import { readProvisioningProfile, signerOf, type ProvisioningProfile } from './provisioning-profile.ts'

const infoPath = /^Payload\/[^/]+\.app\/Info\.plist$/

const noProfile: ProvisioningProfile = {
  devices: null,
  key_type: null,
  provisioning_profile_uuid: null,
  provisioning_profile_expiry: null,
  team_name: null,
  team_identifier: null,
  provisioned_device_count: null,
  provisioning_profile_signature: null,
  provisioning_profile_signer: null,
}

/** Reads the Info.plist, the provisioning profile and the icon of an iOS application. */
export async function inspectIpa(source: ByteSource): Promise<Inspection> {
  const zip = await openZip(source)
  const path = zip.names.find((name) => infoPath.test(name))
  if (path === undefined) throw new InspectionError('The archive does not contain Payload/*.app/Info.plist.')
  const folder = path.slice(0, -'Info.plist'.length)
  const info = readPlist(await zip.read(path, maxPlistBytes))
  const profile = await findProfile(zip, folder)
  const iosInfo = describe(info, profile)
  const executable = `${folder}${textOf(info, 'CFBundleExecutable')}`
  const { architectures, debugIds } = await readExecutables(zip, source, { folder, executable })
  return {
    ...emptyInspection,
    ios_info: iosInfo,
    file_info: {
      ...unknownPackage,
      format: 'ipa',
      name: cleanText(displayNameOf(info)),
      version: iosInfo.version_short_string,
      build_number: iosInfo.bundle_version,
      publisher: iosInfo.team_name,
      minimum_os: iosInfo.minimum_os,
      signer: signerOf(profile),
      signature_status: codeSignatureStatus(zip, folder),
      architectures,
    },
    icon: await findAppIcon(zip, folder, info),
    debug_ids: debugIds,
    provisioned_devices: profile.devices,
  }
}

/** Returns the attributes of the embedded profile. Applications for the App Store may have none. */
async function findProfile(zip: ZipArchive, folder: string): Promise<ProvisioningProfile> {
  const path = `${folder}embedded.mobileprovision`
  if (!zip.has(path)) return noProfile
  const profile = await orNull(zip.read(path, maxPlistBytes).then(readProvisioningProfile))
  return profile ?? noProfile
}

function describe(info: PlistDictionary, profile: ProvisioningProfile): IosInfo {
  return {
    bundle_id: cleanText(textOf(info, 'CFBundleIdentifier')),
    bundle_name: cleanText(textOf(info, 'CFBundleName') ?? displayNameOf(info)),
    key_type: profile.key_type,
    minimum_os: cleanText(textOf(info, 'MinimumOSVersion')),
    bundle_version: cleanText(textOf(info, 'CFBundleVersion')),
    version_short_string: cleanText(textOf(info, 'CFBundleShortVersionString')),
    provisioning_profile_uuid: cleanText(profile.provisioning_profile_uuid),
    provisioning_profile_expiry: profile.provisioning_profile_expiry,
    team_name: cleanText(profile.team_name),
    team_identifier: cleanText(profile.team_identifier),
    provisioned_device_count: profile.provisioned_device_count,
    provisioning_profile_signature: profile.provisioning_profile_signature,
    provisioning_profile_signer: profile.provisioning_profile_signer,
  }
}
