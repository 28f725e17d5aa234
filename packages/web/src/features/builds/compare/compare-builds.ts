import type { FullBuild } from '@quayside/sdk'
import { riskText as text } from '../../../text/builds/build-risks.ts'
import { androidVersion } from '../overview/android-versions.ts'
import { isSensitive, shortPermission } from '../overview/sensitive-permissions.ts'

/** An attribute of the package that differs. */
export type AttributeDifference = { name: string; before: string; after: string; isRisky: boolean }

export type FileDifference = { name: string; before: number | undefined; after: number | undefined }

export type Comparison = {
  /** Whether the service could read both packages. */
  isRead: boolean
  /** What someone who releases the build should know, as sentences. */
  risks: string[]
  attributes: AttributeDifference[]
  permissions: { added: string[]; removed: string[] }
  files: FileDifference[]
}

/** Returns how a build differs from an earlier one. */
export function compareBuilds(before: FullBuild, after: FullBuild): Comparison {
  const attributes = attributesOf(after).flatMap((attribute, index): AttributeDifference[] => {
    const old = attributesOf(before)[index]?.value ?? null
    const { name, value, isRisk } = attribute
    if (old === value) return []
    return [{ name, before: old ?? '–', after: value ?? '–', isRisky: isRisk?.(old, value) ?? false }]
  })
  const [old, current] = [before.android_info, after.android_info]
  const permissions =
    old === null || current === null
      ? { added: [], removed: [] }
      : difference(old.permissions, current.permissions)
  const files = compareFiles(before, after)
  return {
    isRead: hasInfo(before) && hasInfo(after),
    risks: risksOf(before, after, permissions.added),
    attributes,
    permissions,
    files,
  }
}

const hasInfo = ({ android_info: android, ios_info: ios, file_info: file }: FullBuild): boolean =>
  android !== null || ios !== null || file !== null

type Attribute = {
  name: string
  value: string | null
  isRisk?: (before: string | null, after: string | null) => boolean
}

const always = () => true
const isLost = (before: string | null, after: string | null) => before !== null && after === null

function attributesOf({
  android_info: android,
  ios_info: ios,
  file_info: file,
  ...build
}: FullBuild): Attribute[] {
  const yesNo = (value: boolean | undefined) => (value === undefined ? null : value ? 'yes' : 'no')
  return [
    { name: 'Package', value: android?.package_name ?? ios?.bundle_id ?? file?.name ?? null, isRisk: always },
    { name: 'Version', value: build.version },
    { name: 'Build number', value: build.build_number },
    { name: 'Minimum', value: minimumOf({ android_info: android, ios_info: ios, file_info: file }) },
    { name: 'Target', value: androidOf(android?.target_api) },
    { name: 'Signature', value: file?.signature_status ?? null, isRisk: (_, value) => value !== 'valid' },
    { name: 'Certificate', value: android?.signing_cert_sha256 ?? null, isRisk: always },
    { name: 'Signer', value: file?.signer ?? null, isRisk: isLost },
    { name: 'Debuggable', value: yesNo(android?.is_debuggable), isRisk: (_, value) => value === 'yes' },
    { name: 'Distribution', value: ios?.key_type ?? null, isRisk: always },
    { name: 'Team', value: ios?.team_identifier ?? null, isRisk: always },
    { name: 'Profile', value: ios?.provisioning_profile_uuid ?? null },
    { name: 'Devices', value: ios?.provisioned_device_count?.toString() ?? null },
    {
      name: 'Architectures',
      value: build.architectures.map(({ name }) => name).join(', ') || null,
      isRisk: (old, value) =>
        (old ?? '').split(', ').some((each) => !(value ?? '').split(', ').includes(each)),
    },
    { name: 'Publisher', value: file?.publisher ?? null },
    { name: 'Format', value: file?.format ?? null },
  ]
}

type Infos = Pick<FullBuild, 'android_info' | 'ios_info' | 'file_info'>

function minimumOf({ android_info: android, ios_info: ios, file_info: file }: Infos): string | null {
  const ofIos = ios?.minimum_os
  if (typeof ofIos === 'string') return `iOS ${ofIos}`
  return androidOf(android?.minimum_api) ?? file?.minimum_os ?? null
}

const androidOf = (api: number | null | undefined): string | null =>
  typeof api === 'number' ? androidVersion(api) : null

function risksOf(before: FullBuild, after: FullBuild, addedPermissions: readonly string[]): string[] {
  return [
    ...androidRisks(before, after),
    ...iosRisks(before, after),
    ...signatureRisks(before, after),
    ...contentRisks(before, after, addedPermissions),
  ]
}

function androidRisks(before: FullBuild, after: FullBuild): string[] {
  const [old, android] = [before.android_info, after.android_info]
  if (old === null || android === null) return []
  return risksWhere(
    [old.package_name !== android.package_name, text.packageName],
    [isChanged(old.signing_cert_sha256, android.signing_cert_sha256), text.certificate],
    [
      isLower(android.version_code, old.version_code),
      text.versionCode(old.version_code, android.version_code),
    ],
    [android.is_debuggable && !old.is_debuggable, text.debuggable],
    [isLower(old.minimum_api, android.minimum_api), text.minimumAndroid(minimumOf(after))],
  )
}

function iosRisks(before: FullBuild, after: FullBuild): string[] {
  const [old, ios] = [before.ios_info, after.ios_info]
  if (old === null || ios === null) return []
  return risksWhere(
    [isChanged(old.bundle_id, ios.bundle_id), text.bundleId],
    [isChanged(old.team_identifier, ios.team_identifier), text.team],
    [isChanged(old.key_type, ios.key_type), text.profileKind],
    [isLower(ios.provisioned_device_count, old.provisioned_device_count), text.profileDevices],
    [isChanged(old.minimum_os, ios.minimum_os), text.minimumIos(ios.minimum_os)],
  )
}

function signatureRisks(before: FullBuild, after: FullBuild): string[] {
  const [old, file] = [before.file_info, after.file_info]
  const isPackage = after.android_info !== null || after.ios_info !== null
  return risksWhere(
    [file?.signature_status === 'invalid', text.invalidSignature],
    [file?.signature_status === 'unsigned' && old?.signature_status === 'valid', text.unsigned],
    [!isPackage && isChanged(old?.signer ?? null, file?.signer ?? null), text.signer(file?.signer)],
  )
}

function contentRisks(before: FullBuild, after: FullBuild, addedPermissions: readonly string[]): string[] {
  const sensitive = addedPermissions.filter(isSensitive).map(shortPermission)
  const lost = before.architectures.filter(
    ({ identifier }) => !after.architectures.some((each) => each.identifier === identifier),
  )
  const growth = after.size_total_bytes / Math.max(1, before.size_total_bytes)
  const larger =
    growth < 3 ? `${Math.round((growth - 1) * 100)} % larger` : `${Math.round(growth)} times as large`
  return risksWhere(
    [sensitive.length > 0, text.permissions(sensitive)],
    [after.architectures.length > 0 && lost.length > 0, text.architectures(lost.map(({ name }) => name))],
    [growth > maxGrowth, text.larger(larger)],
  )
}

/** Returns the sentences of the risks that apply. */
const risksWhere = (...risks: readonly [applies: boolean, sentence: string][]): string[] =>
  risks.filter(([applies]) => applies).map(([, sentence]) => sentence)

const maxGrowth = 1.2

const isChanged = (before: string | null, after: string | null): boolean =>
  before !== null && after !== null && before !== after

const isLower = (value: number | null, than: number | null): boolean =>
  value !== null && than !== null && value < than

function difference(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((each) => !before.includes(each)),
    removed: before.filter((each) => !after.includes(each)),
  }
}

/** Compares the primary files with each other, and expansion files and artifacts by their names without the version. */
function compareFiles(before: FullBuild, after: FullBuild): FileDifference[] {
  const [oldExpansions, expansions] = [
    byName(before, before.expansion_files),
    byName(after, after.expansion_files),
  ]
  const [oldArtifacts, artifacts] = [
    byName(before, before.metadata_artifacts),
    byName(after, after.metadata_artifacts),
  ]
  return [
    {
      name: after.primary_file.filename,
      before: before.primary_file.size_bytes,
      after: after.primary_file.size_bytes,
    },
    ...pairs(oldExpansions, expansions),
    ...pairs(oldArtifacts, artifacts).filter(
      ({ before: old, after: current }) => old === undefined || current === undefined,
    ),
  ]
}

type Sized = { filename: string; size_bytes: number }

const byName = ({ version, build_number: number }: FullBuild, files: readonly Sized[]) =>
  new Map(
    files.map((file) => [file.filename.replaceAll(version, '*').replaceAll(number ?? version, '*'), file]),
  )

const pairs = (before: ReadonlyMap<string, Sized>, after: ReadonlyMap<string, Sized>): FileDifference[] =>
  [...new Set([...after.keys(), ...before.keys()])].map((name) => ({
    name: (after.get(name) ?? before.get(name))?.filename ?? name,
    before: before.get(name)?.size_bytes,
    after: after.get(name)?.size_bytes,
  }))
