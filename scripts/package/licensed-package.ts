import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLicense } from './license.ts'

export type LicensedPackage = { name: string; version: string; license: string; author: string }

type Manifest = { name: string; version: string; author?: string | { name?: string } }

/** Returns what a copyright file says about the npm package in `folder`. */
export function describePackage(folder: string): LicensedPackage {
  const { name, version, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const person = typeof author === 'string' ? author : author?.name
  return {
    name,
    version,
    license: readLicense(folder).name,
    author: person ?? `The contributors of ${name}`,
  }
}
