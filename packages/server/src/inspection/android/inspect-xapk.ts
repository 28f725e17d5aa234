import type { ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import {
  InspectionError,
  unknownPackage,
  type ByteSource,
  type Inspection,
  type PackageInfo,
} from '../inspection.ts'
import { inspectBase } from './inspect-apks.ts'

const manifestPath = 'manifest.json'
const maxManifestBytes = 2 ** 20
const apkPath = /^[^/]+\.apk$/i

type Manifest = { info: PackageInfo; packageName: string; base: string | undefined }

/**
 * Reads the base APK in an XAPK file, in which stores distribute APKs with expansion files, and verifies its signature. The
 * manifest of the file is not signed. Returns null for other archives, which can also contain a manifest and APKs.
 */
export async function inspectXapk(zip: ZipArchive, content: ByteSource): Promise<Inspection | null> {
  if (!zip.has(manifestPath) || !zip.names.some((name) => apkPath.test(name))) return null
  const manifest = parseManifest(await zip.read(manifestPath, maxManifestBytes))
  if (manifest === undefined) return null
  const inspection = await inspectBase(zip, content, findBase(zip, manifest), manifest.info)
  return { ...inspection, icon: inspection.icon ?? (await findIcon(zip)) }
}

/** Returns undefined if it is the manifest of another program. */
function parseManifest(bytes: Buffer): Manifest | undefined {
  const json = recordOf(parseJson(bytes.toString('utf8').replace(/^\uFEFF/, '')))
  const packageName = textOf(json['package_name'])
  if (packageName === null || !('xapk_version' in json || 'split_apks' in json)) return undefined
  const splits: unknown[] = Array.isArray(json['split_apks']) ? json['split_apks'] : []
  const base = splits.map(recordOf).find(({ id, file }) => id === 'base' && typeof file === 'string')
  const api = textOf(json['min_sdk_version'])
  return {
    info: {
      ...unknownPackage,
      format: 'xapk',
      name: textOf(json['name']),
      version: textOf(json['version_name']),
      build_number: textOf(json['version_code']),
      minimum_os: api === null ? null : `API ${api}`,
    },
    packageName,
    base: typeof base?.['file'] === 'string' ? base['file'] : undefined,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const recordOf = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>

/** Returns a text or a number, which tools write for the same fields. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? cleanText(String(value)) : null

function findBase(zip: ZipArchive, { packageName, base }: Manifest): string {
  const named = [base, `${packageName}.apk`, 'base.apk']
  const found = named.find((path) => path !== undefined && apkPath.test(path) && zip.has(path))
  const path = found ?? zip.names.find((name) => apkPath.test(name) && !/^config\.|^split_/i.test(name))
  if (path === undefined) throw new InspectionError('The archive does not contain a base APK.')
  return path
}

async function findIcon(zip: ZipArchive) {
  const bytes = zip.has('icon.png') ? await orNull(zip.read('icon.png', maxIconBytes)) : null
  return bytes === null ? null : readIcon(bytes)
}
