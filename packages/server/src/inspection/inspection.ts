import type { Static } from 'typebox'
import type * as schemas from './inspection-schema.ts'

/**
 * Increase this number when inspectors read more file types or other metadata. Builds that were inspected with a lower
 * number are then inspected again in the background.
 */
export const inspectionVersion = 7

export type IosInfo = Static<typeof schemas.IosInfo>
export type AndroidInfo = Static<typeof schemas.AndroidInfo>
export type PackageInfo = Static<typeof schemas.PackageInfo>
/**
 * The result of verifying a signature. `valid` does not mean that the signer is trusted. `unknown` means that there is a
 * signature that was not verified.
 */
export type SignatureStatus = NonNullable<PackageInfo['signature_status']>

/** The metadata of an uploaded file. A property is null if the format does not have it or it cannot be read. */
export type Inspection = Static<typeof schemas.Inspection>
export type Icon = NonNullable<Inspection['icon']>
export type DebugId = Inspection['debug_ids'][number]
/** A field of a control file or a `.PKGINFO`. Its name can occur several times. */
export type PackageField = NonNullable<Inspection['deb_control']>[number]
export type RpmHeader = NonNullable<Inspection['rpm_header']>

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

export const emptyInspection: Inspection = {
  ios_info: null,
  android_info: null,
  file_info: null,
  icon: null,
  debug_ids: [],
  artifact_format: null,
  deb_control: null,
  rpm_header: null,
  pacman_info: null,
  provisioned_devices: null,
}

export const unknownPackage: Omit<PackageInfo, 'format'> = {
  name: null,
  version: null,
  build_number: null,
  publisher: null,
  minimum_os: null,
  signer: null,
  signature_status: null,
  architectures: [],
  dependencies: [],
}
