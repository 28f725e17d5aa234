import { cleanText } from '../bytes.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type Inspection,
  type PackageField,
} from '../inspection.ts'
import { maxPackageFields } from '../metadata-limits.ts'
import { linuxArchitectures } from './architectures.ts'

/** The file with the metadata of a pacman package, which is at the beginning of the archive. */
export const pacmanMetadataPath = '.PKGINFO'

const maxDependencies = 500
/** What makepkg writes if nobody has set PACKAGER. */
const unknownPackager = 'Unknown Packager'

/**
 * Returns the metadata in the .PKGINFO of a pacman package (PKGBUILD(5)). Throws `InspectionError` if it contains no name or
 * version.
 */
export function describePacmanPackage(bytes: Buffer): Inspection {
  const fields = readFields(bytes.toString('utf8'))
  const valueOf = (name: string) => fields.find((field) => field.name === name)?.value
  const [name, version] = [cleanText(valueOf('pkgname')), cleanText(valueOf('pkgver'))]
  if (name === null || version === null) throw new InspectionError('.PKGINFO is damaged.')
  const packager = cleanText(valueOf('packager'))
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'pacman',
      name,
      version,
      publisher: packager === unknownPackager ? null : packager,
      architectures: linuxArchitectures(valueOf('arch')),
      dependencies: fields
        .filter((field) => field.name === 'depend')
        .slice(0, maxDependencies)
        .flatMap(({ value }) => cleanText(value) ?? []),
    },
    pacman_info: fields.length > maxPackageFields ? null : fields,
  }
}

const readFields = (text: string): PackageField[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, name, value = ''] = /^([a-z0-9_]+)\s*=\s*(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: cleanText(value, Infinity) ?? '' }]
  })
