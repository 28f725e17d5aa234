import { readProgramIds } from '../archives/zip-programs.ts'
import type { ZipArchive } from '../archives/zip.ts'
import { cleanText } from '../bytes.ts'
import { emptyInspection, unknownPackage, type ByteSource, type Inspection } from '../inspection.ts'
import { jarManifestPath, verifyJarSignature } from '../signatures/jar-signature.ts'
import { signerName } from '../signatures/signature.ts'

/** The limit is high, because the manifest of a signed archive lists every file. */
const maxManifestBytes = 16 * 2 ** 20
const maxMainSectionBytes = 64 * 1024

/** Returns whether an archive is a JAR file or a web application (WAR), which needs no manifest. */
export const isJar = (zip: ZipArchive): boolean => zip.has(jarManifestPath) || isWebArchive(zip)

/** Reads the main section of the manifest of a JAR file or a web application, and verifies its signature. */
export async function inspectJar(zip: ZipArchive, content: ByteSource): Promise<Inspection> {
  const manifest = zip.has(jarManifestPath) ? await zip.read(jarManifestPath, maxManifestBytes) : null
  const main = readMainSection(manifest ?? Buffer.alloc(0))
  const debugIds = await readProgramIds(zip, content)
  const first = (...names: string[]) => cleanText(names.map((name) => main.get(name)).find(Boolean))
  const signature = await verifyJarSignature(zip, content, { isApk: false })
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: isWebArchive(zip) ? 'war' : 'jar',
      name: first(
        'implementation-title',
        'bundle-name',
        'specification-title',
        'bundle-symbolicname',
        'automatic-module-name',
      ),
      version: first('implementation-version', 'bundle-version', 'specification-version'),
      publisher: first('implementation-vendor', 'bundle-vendor', 'specification-vendor'),
      signer: signerName(signature),
      signature_status: signature.status,
    },
    debug_ids: debugIds,
  }
}

const isWebArchive = (zip: ZipArchive): boolean => zip.names.some((name) => name.startsWith('WEB-INF/'))

/** Returns the attributes of the main section by lowercase name. A line that starts with a space is a continuation. */
function readMainSection(bytes: Buffer): Map<string, string> {
  const text = bytes.toString('utf8', 0, maxMainSectionBytes).replaceAll(/\r\n?/g, '\n')
  const [section = ''] = text.replaceAll('\n ', '').split('\n\n', 1)
  const attributes = new Map<string, string>()
  for (const line of section.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) attributes.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2))
  }
  return attributes
}
