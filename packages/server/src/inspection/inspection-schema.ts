import { Type, type Static, type TSchema } from 'typebox'
import { reportedText } from '../lib/reported-text.ts'
import { isoMicroseconds } from '../lib/time.ts'
import { artifactFormats } from './artifacts/artifact-format.ts'
import { createChildResultCheck } from './child-result-check.ts'
import { imageTypes, maxIconBase64Length } from './images/image.ts'
import { maxDevices, maxPackageFields, maxRpmRelations, rpmRelationNames } from './metadata-limits.ts'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const text = Nullable(Type.String())
const integer = Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** Metadata of an iOS application, stored as `ios_info` of a build. */
export const IosInfo = Type.Object(
  {
    bundle_id: text,
    bundle_name: text,
    key_type: Nullable(
      Type.Enum(['development', 'adhoc', 'enterprise', 'appstore'], {
        description: 'How the app may be distributed according to its provisioning profile.',
      }),
    ),
    minimum_os: text,
    bundle_version: text,
    version_short_string: text,
    provisioning_profile_uuid: text,
    provisioning_profile_expiry: text,
    team_name: text,
    team_identifier: text,
    provisioned_device_count: integer,
    provisioning_profile_signature: Nullable(
      Type.Enum(['valid', 'invalid', 'unsigned', 'unknown'], {
        description:
          'Whether the signature of the provisioning profile matches its content. It does not state whether the signer is Apple.',
      }),
    ),
    provisioning_profile_signer: Nullable(
      Type.String({ description: 'Common name of the certificate that signed the provisioning profile.' }),
    ),
  },
  { title: 'IosInfo' },
)

/** Metadata of an Android application, stored as `android_info` of a build. */
export const AndroidInfo = Type.Object(
  {
    package_name: text,
    minimum_api: integer,
    target_api: integer,
    version_name: text,
    version_code: integer,
    is_debuggable: Type.Boolean(),
    package_signed: Type.Boolean({
      description: 'Whether the package has a valid signature: `signature_status` of `file_info` is `valid`.',
    }),
    signing_cert_sha256: Nullable(
      Type.String({
        description: 'SHA-256 of the signing certificate. `null` if the package has no valid signature.',
      }),
    ),
    permissions: Type.Array(Type.String()),
  },
  { title: 'AndroidInfo' },
)

/** Metadata that all package formats have in common, stored as `file_info` of a build. */
export const PackageInfo = Type.Object(
  {
    format: Type.String({ description: 'Format of the file, such as `apk` or `deb`.' }),
    name: text,
    version: text,
    build_number: text,
    publisher: text,
    minimum_os: text,
    signer: Nullable(
      Type.String({
        description:
          'Subject of the signing certificate, team identifier of an application for Apple platforms, or key ID of a Linux package. Anyone can create a certificate with any subject.',
      }),
    ),
    signature_status: Nullable(
      Type.Enum(['valid', 'invalid', 'unsigned', 'unknown'], {
        description:
          'Result of verifying the signature. `valid`: the content matches the signature, but the certificate is not checked against a trust store. `invalid`: the signature is damaged or does not match the content. `unsigned`: there is no signature. `unknown`: there is a signature, but it was not verified. `null`: signatures of this format are not read.',
      }),
    ),
    architectures: Type.Array(Type.String()),
    dependencies: Type.Array(Type.String(), {
      description:
        'Libraries that an executable loads, such as `libc.so.6`, `KERNEL32.dll` or `/usr/lib/libSystem.B.dylib`, or packages that a package requires. At most 500.',
    }),
  },
  { title: 'PackageInfo' },
)

/** An ID that connects an executable with its symbols. */
export const DebugId = Type.Object(
  {
    kind: Type.Enum(['elf_build_id', 'mach_uuid', 'pe_code_id', 'pdb_id', 'breakpad_id', 'r8_map_id'], {
      description:
        '`elf_build_id`: GNU build ID. `mach_uuid`: UUID of a Mach-O file. `pe_code_id`: time stamp and size of a Windows executable. `pdb_id`: GUID and age of a program database. `breakpad_id`: module ID of a Breakpad symbol file. `r8_map_id`: ID or hash of an R8 mapping.',
    }),
    id: Type.String({ pattern: '^[0-9a-f]{1,128}$', description: 'Lowercase hexadecimal digits.' }),
    role: Type.Enum(['executable', 'symbols'], {
      description:
        '`executable`: the file needs the symbols with this ID. `symbols`: the file contains them.',
    }),
    name: Nullable(Type.String({ description: 'File name without its folder.' })),
    path: Nullable(
      Type.String({ description: 'Path in the archive; `null` if the file is not in an archive.' }),
    ),
    architecture: Nullable(Type.String({ description: 'Identifier of the architecture.' })),
  },
  { title: 'DebugId' },
)

const RpmRelation = Type.Object({
  name: Type.String(),
  /** The bits of RPMSENSE_*, such as 8 for equal. */
  flags: Type.Integer(),
  version: Type.String(),
})

const relations = Type.Array(RpmRelation, { maxItems: maxRpmRelations })

/** The part of an RPM header that the metadata of a repository contains. */
const RpmHeader = Type.Object({
  name: text,
  epoch: integer,
  version: text,
  release: text,
  architecture: text,
  summary: text,
  description: text,
  license: text,
  group: text,
  url: text,
  vendor: text,
  packager: text,
  build_host: text,
  build_time: integer,
  source_rpm: text,
  installed_size: integer,
  archive_size: integer,
  header_start: Type.Integer(),
  header_end: Type.Integer(),
  ...(Object.fromEntries(rpmRelationNames.map((name) => [name, relations])) as Record<
    (typeof rpmRelationNames)[number],
    typeof relations
  >),
  /** The files that other packages can require: those in /etc and in folders of programs. */
  files: Type.Array(Type.String(), { maxItems: maxRpmRelations }),
})

const PackageFields = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
  maxItems: maxPackageFields,
})

export const Inspection = Type.Object({
  ios_info: Nullable(IosInfo),
  android_info: Nullable(AndroidInfo),
  file_info: Nullable(PackageInfo),
  icon: Nullable(
    Type.Object({
      media_type: Type.Enum([...imageTypes]),
      base64: Type.String({ maxLength: maxIconBase64Length }),
    }),
  ),
  debug_ids: Type.Array(DebugId),
  artifact_format: Nullable(Type.Enum([...artifactFormats])),
  deb_control: Nullable(PackageFields),
  rpm_header: Nullable(RpmHeader),
  pacman_info: Nullable(PackageFields),
  provisioned_devices: Nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: maxDevices }),
  ),
})

const maxTextLength = 500
const maxListLength = 500
const maxDetailLength = 64 * 1024

/**
 * Returns the result of an inspection with bounded and printable text, or undefined if it does not match the schema.
 * The child process is not trusted, because it has parsed the file.
 */
export function checkedInspection(value: unknown): Static<typeof Inspection> | undefined {
  if (!isInspection(value)) return undefined
  const { ios_info, icon, debug_ids, provisioned_devices, ...others } = value
  const { deb_control, rpm_header, pacman_info, ...rest } = others
  return {
    ...(printable(rest) as typeof rest),
    debug_ids: debug_ids.slice(0, maxListLength).map((id) => printable(id) as typeof id),
    // Package managers read these fields exactly as they are in the package.
    deb_control: storable(deb_control) as typeof deb_control,
    rpm_header: storable(rpm_header) as typeof rpm_header,
    pacman_info: storable(pacman_info) as typeof pacman_info,
    provisioned_devices,
    ios_info: ios_info && {
      ...(printable(ios_info) as typeof ios_info),
      provisioning_profile_expiry: timestampOf(ios_info.provisioning_profile_expiry),
    },
    icon,
  }
}

const isInspection = createChildResultCheck(Inspection)

function printable(value: unknown): unknown {
  if (typeof value === 'string') return reportedText(value, maxTextLength)
  if (Array.isArray(value)) return value.slice(0, maxListLength).map(printable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, printable(each)]))
}

/** Removes what PostgreSQL does not store in JSON, and shortens long text. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, maxDetailLength).toWellFormed().replaceAll('\0', '')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, storable(each)]))
}

function timestampOf(value: string | null): string | null {
  const date = new Date(value ?? Number.NaN)
  return date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999 ? isoMicroseconds(date) : null
}
