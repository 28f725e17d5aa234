import { openZip } from '../archives/zip.ts'
import { orNull, parseOrNull } from '../bytes.ts'
import type { ByteSource, Inspection } from '../inspection.ts'
import { verifyJarSignature } from '../signatures/jar-signature.ts'
import { describeAndroidPackage } from './android-package.ts'
import { readProtobufResources } from './protobuf-resources.ts'
import { readProtobufXml } from './protobuf-xml.ts'

const maxManifestBytes = 8 * 2 ** 20
const maxTableBytes = 96 * 2 ** 20
/** The folder of the base module (https://developer.android.com/guide/app-bundle/app-bundle-format). */
const folder = 'base/'

/** Reads the manifest, the label and the icon of an Android app bundle, and verifies its signature. */
export async function inspectAab(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const zip = await openZip(source)
  const manifest = readProtobufXml(await zip.read(`${folder}manifest/AndroidManifest.xml`, maxManifestBytes))
  const tablePath = `${folder}resources.pb`
  const table = zip.has(tablePath) ? await orNull(zip.read(tablePath, maxTableBytes)) : null
  const resources = table === null ? null : parseOrNull(() => readProtobufResources(table))
  return describeAndroidPackage({
    format: 'aab',
    manifest,
    resources,
    verify: () => verifyJarSignature(zip, content, { isApk: false }),
    zip,
    source,
    readXml: readProtobufXml,
    folder,
  })
}
