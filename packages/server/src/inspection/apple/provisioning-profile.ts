import { isoMicroseconds } from '../../lib/time.ts'
import { parseOr } from '../bytes.ts'
import { InspectionError, type IosInfo } from '../inspection.ts'
import { contentOf, readSignedData } from '../signatures/signed-data.ts'
import { dictionaryOf, textOf, textsOf, type PlistDictionary } from './plist-value.ts'
import { readPlist } from './plist.ts'

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
>

/** Reads an embedded.mobileprovision file: a property list signed by Apple. The signature is not verified. */
export function readProvisioningProfile(bytes: Buffer): ProvisioningProfile {
  const content = parseOr(damaged, () => contentOf(readSignedData(bytes, damaged)))
  if (content === null) throw new InspectionError(damaged)
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
  }
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
