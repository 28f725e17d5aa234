import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type, type Static, type TSchema } from 'typebox'
import { imageTypes, maxIconBase64Length } from '../formats/image.ts'
import { reportedText } from '../lib/reported-text.ts'
import { isoMicroseconds } from '../lib/time.ts'

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
  },
  { title: 'PackageInfo' },
)

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
})

const maxTextLength = 500
const maxListLength = 500

/**
 * Returns the result of an inspection with bounded and printable text, or undefined if it does not match the schema.
 * The child process is not trusted, because it has parsed the file.
 */
export function checkedInspection(value: unknown): Static<typeof Inspection> | undefined {
  if (!isInspection(value)) return undefined
  const { ios_info, icon, ...rest } = value
  return {
    ...(printable(rest) as typeof rest),
    ios_info: ios_info && {
      ...(printable(ios_info) as typeof ios_info),
      provisioning_profile_expiry: timestampOf(ios_info.provisioning_profile_expiry),
    },
    icon,
  }
}

// Strict mode is off, because the schemas contain OpenAPI titles. Properties that the schema does not declare are
// removed.
const validate = new Ajv2020({ strict: false, removeAdditional: 'all' }).compile(Inspection)

const isInspection = (value: unknown): value is Static<typeof Inspection> => validate(value)

function printable(value: unknown): unknown {
  if (typeof value === 'string') return reportedText(value, maxTextLength)
  if (Array.isArray(value)) return value.slice(0, maxListLength).map(printable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, printable(each)]))
}

function timestampOf(value: string | null): string | null {
  const date = new Date(value ?? Number.NaN)
  return date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999 ? isoMicroseconds(date) : null
}
