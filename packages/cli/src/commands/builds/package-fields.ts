import type { FullBuild } from '@quayside/sdk'

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
  ]
}

function processingOf({ pending_processing, processing_error }: FullBuild): string | null {
  return pending_processing ? 'in progress' : processing_error === null ? null : `failed: ${processing_error}`
}

/** Formats the version that the file declares, such as `1.4 (57)`. */
function packageVersion({ ios_info: ios, android_info: android, file_info: file }: FullBuild): string | null {
  const version = ios?.version_short_string ?? android?.version_name ?? file?.version
  const number = ios?.bundle_version ?? android?.version_code ?? file?.build_number
  return [version, number === undefined || number === null ? null : `(${number})`].filter(Boolean).join(' ')
}

function signingOf({ ios_info: ios, android_info: android, file_info: file }: FullBuild): string | null {
  if (ios !== null && ios.key_type !== null) return ios.key_type
  if (android === null) return file?.signer ?? null
  if (!android.package_signed) return 'unsigned'
  return android.signing_cert_sha256 === null ? 'signed' : `SHA-256 ${android.signing_cert_sha256}`
}
