import { inspectApks, isApkSet } from '../android/inspect-apks.ts'
import { inspectXapk } from '../android/inspect-xapk.ts'
import { findAppInfo, inspectApp } from '../apple/inspect-app.ts'
import { orNull } from '../bytes.ts'
import { emptyInspection, type ByteSource, type Inspection } from '../inspection.ts'
import { inspectJar, isJar } from '../java/inspect-jar.ts'
import { findNuspec, inspectNupkg } from '../packages/inspect-nupkg.ts'
import { findWheelMetadata, inspectWheel } from '../packages/inspect-wheel.ts'
import {
  appxManifestPath,
  bundleManifestPath,
  inspectAppx,
  inspectAppxBundle,
} from '../windows/inspect-appx.ts'
import { inspectPrograms } from './zip-programs.ts'
import { openReadableZip, type ZipArchive } from './zip.ts'

type Archive = { zip: ZipArchive; source: ByteSource; content: ByteSource }

/** Formats of packages with the file types that the catalog has for them. `inspect` returns null for other archives. */
const packageReaders: readonly {
  filetypes?: readonly string[]
  inspect: (archive: Archive) => Promise<Inspection | null>
}[] = [
  {
    filetypes: ['app'],
    async inspect({ zip, source }) {
      const path = findAppInfo(zip)
      return path === undefined ? null : inspectApp(zip, path, source)
    },
  },
  {
    filetypes: ['appx', 'msix'],
    inspect: async ({ zip, content }) => (zip.has(appxManifestPath) ? inspectAppx(zip, content) : null),
  },
  {
    filetypes: ['appxbundle', 'msixbundle'],
    inspect: async ({ zip, content }) =>
      zip.has(bundleManifestPath) ? inspectAppxBundle(zip, content) : null,
  },
  {
    inspect: async ({ zip, content }) => (isApkSet(zip) ? inspectApks(zip, content) : null),
  },
  { inspect: ({ zip, content }) => inspectXapk(zip, content) },
  {
    async inspect({ zip, content }) {
      const path = findNuspec(zip)
      return path === undefined ? null : inspectNupkg(zip, path, content)
    },
  },
  {
    async inspect({ zip, content }) {
      const path = findWheelMetadata(zip)
      return path === undefined ? null : inspectWheel(zip, path, content)
    },
  },
  {
    filetypes: ['jar'],
    inspect: async ({ zip, content }) => (isJar(zip) ? inspectJar(zip, content) : null),
  },
]

/**
 * Reads a package in a ZIP file, or the main program of another archive. An archive that only contains some files of a
 * package format is valid, so damaged packages are rejected only if the file type declares their format.
 */
export async function inspectArchive(
  source: ByteSource,
  content: ByteSource,
  filetype?: string,
): Promise<Inspection> {
  const zip = await openReadableZip(source)
  if (zip === undefined) return emptyInspection
  for (const { filetypes = [], inspect } of packageReaders) {
    const isDeclared = filetype !== undefined && filetypes.includes(filetype)
    const reading = inspect({ zip, source, content })
    const found = await (isDeclared ? reading : orNull(reading))
    if (found !== null) return found
  }
  return inspectPrograms(zip, content)
}
