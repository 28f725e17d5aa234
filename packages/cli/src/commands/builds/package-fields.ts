import type { FullBuild } from '@quayside/sdk'
import { isProcessing, processingState } from './wait-for-processing.ts'

type Field = [name: string, value: string | null | undefined]

/** Returns the processing state of a build and the metadata of its primary file as fields to display. */
export function packageFields(build: FullBuild): Field[] {
  const { ios_info: ios, android_info: android, file_info: file } = build
  const minimumApi = android?.minimum_api ?? null
  return [
    ['Processing', processingOf(build)],
    ['Name', ios?.bundle_name ?? file?.name],
    ['Package', ios?.bundle_id ?? android?.package_name],
    ['Package version', packageVersion(build)],
    ['Publisher', ios?.team_name ?? file?.publisher],
    ['Minimum OS', ios?.minimum_os ?? (minimumApi === null ? file?.minimum_os : `Android API ${minimumApi}`)],
    ['Signing', signingOf(build)],
    ['Profile expires', ios?.provisioning_profile_expiry],
    ['Devices', ios?.provisioned_device_count?.toString()],
    ['Debuggable', android?.is_debuggable === true ? 'yes' : null],
    ['Permissions', android?.permissions.join(', ')],
    ['Requires', file?.dependencies.join(', ')],
  ]
}

function processingOf(build: FullBuild): string | null {
  if (isProcessing(build)) return 'in progress'
  return processingState(build) === 'failed' ? `failed: ${build.processing_error}` : null
}

/** Formats the version that the file declares, such as `1.4 (57)`. */
function packageVersion({ ios_info: ios, android_info: android, file_info: file }: FullBuild): string | null {
  const version = ios?.version_short_string ?? android?.version_name ?? file?.version
  const number = ios?.bundle_version ?? android?.version_code ?? file?.build_number
  return [version, number === undefined || number === null ? null : `(${number})`].filter(Boolean).join(' ')
}

/** Formats how the package is signed, such as `Example Ltd`, `SHA-256 3f2a…` or `invalid signature`. */
function signingOf({ ios_info: ios, android_info: android, file_info: file }: FullBuild): string | null {
  if (ios !== null && ios.key_type !== null) return profileOf(ios, ios.key_type)
  const status = file?.signature_status ?? null
  if (status === 'unsigned') return 'unsigned'
  if (status === 'invalid') return 'invalid signature'
  const certificate = android?.signing_cert_sha256 ?? null
  const signer = certificate === null ? (file?.signer ?? null) : `SHA-256 ${certificate}`
  return status === 'unknown' ? `${signer ?? 'signed'} (not verified)` : signer
}

function profileOf(ios: NonNullable<FullBuild['ios_info']>, keyType: string): string {
  return ios.provisioning_profile_signature === 'invalid'
    ? `${keyType} (the signature of the profile is invalid)`
    : keyType
}
