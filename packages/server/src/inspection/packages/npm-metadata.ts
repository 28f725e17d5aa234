import { cleanText } from '../bytes.ts'
import { InspectionError, unknownPackage, type PackageInfo } from '../inspection.ts'

const maxDependencies = 500
const damaged = 'package.json is damaged.'

/** Maps values of `process.arch` to architectures of the catalog. */
const architectures: Readonly<Record<string, string>> = {
  x64: 'x64',
  ia32: 'x86',
  arm64: 'arm64v8',
  arm: 'armv7',
  ppc64: 'ppc64',
  s390x: 'ibmz',
  riscv64: 'risc-v64',
  loong64: 'loongarch',
}

/**
 * Returns the metadata in the package.json of an npm package. The minimum OS is the range of Node.js versions. Throws
 * `InspectionError` if it contains no name or version, which npm requires.
 */
export function describeNpmPackage(bytes: Buffer): PackageInfo {
  const manifest = parse(bytes)
  const node = textOf(recordOf(manifest['engines'])['node'])
  const [name, version] = [textOf(manifest['name']), textOf(manifest['version'])]
  if (name === null || version === null) throw new InspectionError(damaged)
  return {
    ...unknownPackage,
    format: 'npm',
    name,
    version,
    publisher: personOf(manifest['author']),
    minimum_os: node === null ? null : `Node.js ${node}`,
    architectures: listOf(manifest['cpu']).flatMap((name) => architectures[name] ?? []),
    dependencies: Object.entries(recordOf(manifest['dependencies']))
      .slice(0, maxDependencies)
      .flatMap(([name, range]) => cleanText(`${name} ${typeof range === 'string' ? range : ''}`) ?? []),
  }
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')))
  } catch (error) {
    throw new InspectionError(damaged, { cause: error })
  }
}

const recordOf = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>

const textOf = (value: unknown): string | null => (typeof value === 'string' ? cleanText(value) : null)

const listOf = (value: unknown): string[] => {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.filter((item) => typeof item === 'string')
}

/** Returns the name of a person: an object, or text such as `Zoë Example <zoe@example.com> (https://example.com)`. */
function personOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replace(/\s*[<(].*$/s, '') : recordOf(value)['name']
  return textOf(text) ?? textOf(value)
}
