import { isoMicroseconds } from '../../lib/time.ts'
import { cleanText, parseOr } from '../bytes.ts'
import { InspectionError, type IosInfo } from '../inspection.ts'
import { maxDevices } from '../metadata-limits.ts'
import { invalid, settleSignature, signerName, unsigned, type Signature } from '../signatures/signature.ts'
import { certificatesOf, contentOf, readSignedData, type SignedData } from '../signatures/signed-data.ts'
import { isSignedBy } from '../signatures/verify-signed-data.ts'
import { dictionaryOf, textOf, textsOf, type PlistDictionary } from './plist-value.ts'
import { readPlist } from './plist.ts'

const maxDeviceLength = 100
const damaged = 'The provisioning profile is damaged.'

/** The attributes of a provisioning profile. */
export type ProvisioningProfile = Pick<
  IosInfo,
  | 'key_type'
  | 'provisioning_profile_uuid'
  | 'provisioning_profile_expiry'
  | 'team_name'
  | 'team_identifier'
  | 'provisioned_device_count'
  | 'provisioning_profile_signature'
  | 'provisioning_profile_signer'
> & {
  /** The UDIDs of the devices on which the application may be installed, or null if it is not limited to devices. */
  devices: string[] | null
}

/** Reads an embedded.mobileprovision file, a signed property list, and verifies its signature. */
export async function readProvisioningProfile(bytes: Buffer): Promise<ProvisioningProfile> {
  const message = readSignedData(bytes, damaged)
  const content = parseOr(damaged, () => contentOf(message))
  if (content === null) throw new InspectionError(damaged)
  const signature = await settleSignature(verify(message, content))
  const profile = readPlist(content)
  const expiry = profile.get('ExpirationDate')
  const devices = profile.get('ProvisionedDevices')
  return {
    key_type: keyTypeOf(profile),
    provisioning_profile_uuid: textOf(profile, 'UUID'),
    provisioning_profile_expiry: expiry instanceof Date ? timestampOf(expiry) : null,
    team_name: textOf(profile, 'TeamName'),
    team_identifier:
      textsOf(profile, 'TeamIdentifier')[0] ?? textsOf(profile, 'ApplicationIdentifierPrefix')[0] ?? null,
    provisioned_device_count: Array.isArray(devices) ? devices.length : null,
    devices: devicesOf(profile),
    provisioning_profile_signature: signature.status,
    provisioning_profile_signer: signerName(signature),
  }
}

/** Returns the team of a profile. A profile whose signature is invalid could name any team. */
export const signerOf = (profile: ProvisioningProfile | null): string | null =>
  profile === null || profile.provisioning_profile_signature === 'invalid'
    ? null
    : cleanText(profile.team_identifier)

async function verify(message: SignedData, content: Buffer): Promise<Signature> {
  if (message.signers.length === 0) return unsigned
  return isSignedBy(message, content) ? { status: 'valid', signers: certificatesOf(message) } : invalid
}

function devicesOf(profile: PlistDictionary): string[] | null {
  if (!Array.isArray(profile.get('ProvisionedDevices'))) return null
  return textsOf(profile, 'ProvisionedDevices')
    .map((device) => cleanText(device, maxDeviceLength))
    .filter((device) => device !== null)
    .slice(0, maxDevices)
}

function timestampOf(time: Date): string | null {
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? isoMicroseconds(time) : null
}

/**
 * Returns the distribution method of the profile. Only development profiles let a debugger attach, and profiles for the
 * App Store list no devices.
 */
function keyTypeOf(profile: PlistDictionary): IosInfo['key_type'] {
  if (profile.get('ProvisionsAllDevices') === true) return 'enterprise'
  if (!Array.isArray(profile.get('ProvisionedDevices'))) return 'appstore'
  const entitlements = dictionaryOf(profile, 'Entitlements')
  return entitlements?.get('get-task-allow') === true ? 'development' : 'adhoc'
}
