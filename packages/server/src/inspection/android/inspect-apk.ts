import { openZip } from '../archives/zip.ts'
import { orNull, parseOrNull } from '../bytes.ts'
import type { ByteSource, Inspection } from '../inspection.ts'
import { describeAndroidPackage } from './android-package.ts'
import { readBinaryXml } from './binary-xml.ts'
import { readResourceTable } from './resource-table.ts'
import { verifyApk } from './verify-apk.ts'

const maxManifestBytes = 8 * 2 ** 20
/** The largest applications have resource tables of about 50 MB. */
const maxTableBytes = 96 * 2 ** 20

/** Reads the manifest, the label and the icon of an Android application, and verifies its signature. */
export async function inspectApk(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const zip = await openZip(source)
  const manifest = readBinaryXml(await zip.read('AndroidManifest.xml', maxManifestBytes))
  const table = zip.has('resources.arsc') ? await orNull(zip.read('resources.arsc', maxTableBytes)) : null
  const resources = table === null ? null : parseOrNull(() => readResourceTable(table))
  return describeAndroidPackage({
    format: 'apk',
    manifest,
    resources,
    verify: (minimumApi) => verifyApk(zip, content, minimumApi),
    zip,
    source,
    readXml: readBinaryXml,
    folder: '',
  })
}
