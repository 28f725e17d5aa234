import { cleanText, orNull, parseOr, parseOrNull } from '../bytes.ts'
import { emptyInspection, unknownPackage, type ByteSource, type Inspection } from '../inspection.ts'
import { signerName } from '../signatures/signature.ts'
import { openCompoundFile, type CompoundFile } from './compound-file.ts'
import { readPropertyTable, tableStreamName } from './installer-database.ts'
import { readTemplate } from './summary-information.ts'
import { verifyInstaller } from './verify-installer.ts'

const maxStringBytes = 32 * 2 ** 20
const maxSmallBytes = 4 * 2 ** 20
const damaged = 'The installer is damaged.'

/** Maps architectures in the template of an installer to those of the catalog. */
const architectures: Readonly<Record<string, string>> = {
  Intel: 'x86',
  x64: 'x64',
  Arm: 'armv7',
  Arm64: 'arm64v8',
  Intel64: 'ia64',
}

/** Reads the product properties of a Windows Installer package (MSI), and verifies its signature. */
export async function inspectInstaller(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const file = await openCompoundFile(source)
  // Other files, such as old Office documents, are compound files too.
  if (!file.has(tableStreamName('Property'))) return emptyInspection
  const [pool, data, table] = [
    await file.read(tableStreamName('_StringPool'), maxStringBytes),
    await file.read(tableStreamName('_StringData'), maxStringBytes),
    await file.read(tableStreamName('Property'), maxSmallBytes),
  ]
  const signature = await verifyInstaller(content)
  const properties = parseOr(damaged, () => readPropertyTable({ pool, data, table }))
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'msi',
      name: cleanText(properties.get('ProductName')),
      version: cleanText(properties.get('ProductVersion')),
      publisher: cleanText(properties.get('Manufacturer')),
      signer: signerName(signature),
      signature_status: signature.status,
      architectures: await findArchitectures(file),
    },
  }
}

/** Returns the architecture in the template, such as `x64;1033`. The default is x86. */
async function findArchitectures(file: CompoundFile): Promise<string[]> {
  const bytes = await orNull(file.read('\u0005SummaryInformation', maxSmallBytes))
  const template = bytes === null ? null : parseOrNull(() => readTemplate(bytes))
  const [name = ''] = template?.split(';', 1) ?? []
  const architecture = architectures[name || 'Intel']
  return template === null || architecture === undefined ? [] : [architecture]
}
