import { cleanText } from '../bytes.ts'
import { InspectionError, unknownPackage, type PackageInfo } from '../inspection.ts'
import { readHeaderFields } from './header-fields.ts'

const maxDependencies = 500
const unknown = 'UNKNOWN'

/**
 * Returns the metadata of a Python package
 * (https://packaging.python.org/en/latest/specifications/core-metadata/). The minimum OS is the range of Python versions.
 * Throws `InspectionError` if the metadata contains no name.
 */
export function describePythonPackage(metadata: Buffer, format: string): PackageInfo {
  const fields = readHeaderFields(metadata.toString('utf8'))
  const text = (name: string) => {
    const value = cleanText(fields.get(name)?.[0])
    return value === unknown ? null : value
  }
  if (text('name') === null) throw new InspectionError('The metadata of the Python package is damaged.')
  const python = text('requires-python')
  return {
    ...unknownPackage,
    format,
    name: text('name'),
    version: text('version'),
    publisher:
      text('author') ??
      nameIn(text('author-email')) ??
      text('maintainer') ??
      nameIn(text('maintainer-email')),
    minimum_os: python === null ? null : `Python ${python}`,
    dependencies: (fields.get('requires-dist') ?? [])
      .slice(0, maxDependencies)
      .flatMap((value) => cleanText(value) ?? []),
  }
}

/** Returns the name in an address such as `Zoë Example <zoe@example.com>`, or the address if it has no name. */
const nameIn = (address: string | null): string | null =>
  address === null ? null : (cleanText(address.replace(/\s*<[^>]*>.*$/s, '').replaceAll('"', '')) ?? address)
