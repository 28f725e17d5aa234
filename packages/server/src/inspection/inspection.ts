/**
 * The result of verifying a signature. `valid` does not mean that the signer is trusted. `unknown` means that there is a
 * signature that was not verified.
 */
export type SignatureStatus = 'valid' | 'invalid' | 'unsigned' | 'unknown'

/** Metadata of an iOS application, stored as `ios_info` of a build. */
export type IosInfo = {
  bundle_id: string | null
  bundle_name: string | null
  key_type: 'development' | 'adhoc' | 'enterprise' | 'appstore' | null
  minimum_os: string | null
  bundle_version: string | null
  version_short_string: string | null
  provisioning_profile_uuid: string | null
  provisioning_profile_expiry: string | null
  team_name: string | null
  team_identifier: string | null
  provisioned_device_count: number | null
  provisioning_profile_signature: SignatureStatus | null
  provisioning_profile_signer: string | null
}

/** Metadata of an Android application, stored as `android_info` of a build. */
export type AndroidInfo = {
  package_name: string | null
  minimum_api: number | null
  target_api: number | null
  version_name: string | null
  version_code: number | null
  is_debuggable: boolean
  package_signed: boolean
  signing_cert_sha256: string | null
  permissions: string[]
}

/** Metadata that all package formats have in common, stored as `file_info` of a build. */
export type PackageInfo = {
  format: string
  name: string | null
  version: string | null
  build_number: string | null
  publisher: string | null
  minimum_os: string | null
  signer: string | null
  signature_status: SignatureStatus | null
  architectures: string[]
}

export type Icon = { media_type: 'image/png' | 'image/webp' | 'image/jpeg'; base64: string }

/** The metadata of an uploaded file. A property is null if the format does not have it or it cannot be read. */
export type Inspection = {
  ios_info: IosInfo | null
  android_info: AndroidInfo | null
  file_info: PackageInfo | null
  icon: Icon | null
}

/** Random access to the bytes of a file. `read` throws if the range exceeds the file. */
export type ByteSource = { sizeBytes: number; read(offset: number, length: number): Promise<Buffer> }

/** Thrown if a file cannot be inspected. The reason is a sentence that users see as `processing_error`. */
export class InspectionError extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

export const emptyInspection: Inspection = { ios_info: null, android_info: null, file_info: null, icon: null }

export const unknownPackage: Omit<PackageInfo, 'format'> = {
  name: null,
  version: null,
  build_number: null,
  publisher: null,
  minimum_os: null,
  signer: null,
  signature_status: null,
  architectures: [],
}
