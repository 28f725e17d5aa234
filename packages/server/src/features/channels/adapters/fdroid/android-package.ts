import type { PackageDetails } from '../adapter.ts'
import { poolPath, type Package, type PackageKind } from '../packages.ts'

const namePattern = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/
const permissionPattern = /^[A-Za-z0-9_.-]{1,200}$/
const maxNameLength = 200
const maxVersionLength = 100

/** The ABIs of native libraries, by the architecture that the inspection states. */
const abis: Readonly<Record<string, string>> = {
  arm64v8: 'arm64-v8a',
  armv5: 'armeabi',
  armv7: 'armeabi-v7a',
  mips: 'mips',
  mips64: 'mips64',
  'risc-v64': 'riscv64',
  x64: 'x86_64',
  x86: 'x86',
}

type AndroidInfo = NonNullable<PackageDetails['androidInfo']>
type Known = { package_name: string; version_code: number; signing_cert_sha256: string }

/** An APK that can be in the index. */
export type AndroidPackage = {
  found: Package
  sha256: string
  info: Omit<AndroidInfo, keyof Known> & Known
  versionName: string
}

export const androidPackage: PackageKind<AndroidPackage> = {
  endings: ['.apk'],
  platform: 'Android',
  name: 'an APK',
  part: 'manifest',
  fields: 'package name, version code or version name',
  isInspected: ({ androidInfo }) => androidInfo !== null,
  explain: ({ file: { filename }, details: { androidInfo } }) =>
    androidInfo?.signing_cert_sha256 === null
      ? `${filename} has no valid signature. Sign it with apksigner, and upload it again.`
      : undefined,
  read: readPackage,
}

function readPackage(found: Package): (AndroidPackage & { key: string }) | undefined {
  const { sha256 } = found.file
  const info = found.details.androidInfo
  if (info === null || sha256 === null) return undefined
  const { package_name: name, version_code: versionCode, signing_cert_sha256: signer } = info
  if (name === null || versionCode === null || signer === null) return undefined
  const versionName = info.version_name ?? `${versionCode}`
  const isValid =
    name.length <= maxNameLength &&
    namePattern.test(name) &&
    versionCode >= 0 &&
    versionName.length <= maxVersionLength &&
    !/[\p{C}\p{Zl}\p{Zp}]/u.test(versionName) &&
    /^[0-9a-f]{64}$/.test(signer)
  if (!isValid) return undefined
  const known = { package_name: name, version_code: versionCode, signing_cert_sha256: signer }
  return { key: `${name} ${sha256}`, found, sha256, info: { ...info, ...known }, versionName }
}

/** Returns what the index states about an APK. */
export function describeVersion(
  { found: { entry, file }, sha256, info, versionName }: AndroidPackage,
  locale: string,
) {
  const minSdkVersion = info.minimum_api ?? 1
  const notes = entry.notes?.toWellFormed() ?? ''
  return {
    added: entry.publishedAt.getTime(),
    file: {
      name: `/${poolPath(sha256, `${info.package_name}_${info.version_code}.apk`)}`,
      sha256,
      size: file.sizeBytes,
    },
    manifest: {
      versionName,
      versionCode: info.version_code,
      usesSdk: { minSdkVersion, targetSdkVersion: info.target_api ?? minSdkVersion },
      signer: { sha256: [info.signing_cert_sha256] },
      usesPermission: info.permissions
        .filter((name) => permissionPattern.test(name))
        .map((name) => ({ name })),
      nativecode: info.architectures.flatMap((architecture) => abis[architecture] ?? []),
    },
    ...(notes === '' ? {} : { whatsNew: { [locale]: notes } }),
  }
}
