import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readLicense } from '../package/license.ts'
import { lockedNodePrograms, type NodeProgram, packageUrl, sha512Of } from './executables/node-programs.ts'
import type { Release } from './release.ts'
import { run } from './run.ts'

/** The parts of a CycloneDX document that are changed (npm writes version 1.5). */
type CycloneDx = {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; 'bom-ref': string } }
  components: {
    'bom-ref': string
    purl: string
    properties?: { name: string }[]
    licenses?: object[]
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** The parts of an SPDX 2.3 document that are changed. */
type Spdx = {
  name: string
  documentNamespace: string
  documentDescribes: [string, ...string[]]
  creationInfo: { created: string }
  packages: {
    SPDXID: string
    /** The folder of a package of the lockfile. */
    packageFileName?: string
    licenseDeclared: string
    externalRefs: { referenceLocator: string }[]
  }[]
  relationships: { spdxElementId: string; relatedSpdxElement: string }[]
}

/** Writes the packages that a release contains as CycloneDX and as SPDX, with the Node of the executables. */
export async function writeSboms(release: Release): Promise<void> {
  const { root, folder, version, log } = release
  const programs = lockedNodePrograms(root)
  const runtime = withoutDevelopment(await listPackages<CycloneDx>(root, 'cyclonedx'))
  const listed = onlyPackages(await listPackages<Spdx>(root, 'spdx'), runtime)
  const { cycloneDx, spdx } = withLicenses(root, runtime, listed)
  const documents = {
    cdx: completeCycloneDx(cycloneDx, release, programs),
    spdx: completeSpdx(spdx, release, programs),
  }
  for (const [extension, document] of Object.entries(documents)) {
    const name = `quayside-${version}.${extension}.json`
    await writeFile(join(folder, name), `${JSON.stringify(document, null, 2)}\n`)
    log(name)
  }
}

async function listPackages<T>(root: string, format: string): Promise<T> {
  // Without --package-lock-only, npm lists what is installed on this machine, which lacks packages of other platforms.
  const args = ['sbom', '--sbom-format', format, '--package-lock-only']
  return JSON.parse(await run('npm', args, { cwd: root })) as T
}

/**
 * Removes the packages that only the development needs. With --omit=dev, npm would also remove packages that both the
 * server and the development need.
 */
function withoutDevelopment(document: CycloneDx): CycloneDx {
  const components = document.components.filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  const kept = new Set([document.metadata.component, ...components].map((component) => component['bom-ref']))
  const dependencies = document.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
  return { ...document, components, dependencies }
}

/** Returns an SPDX document with the packages of a CycloneDX document. SPDX does not mark packages for development. */
function onlyPackages(document: Spdx, { components }: CycloneDx): Spdx {
  const urls = new Set(components.map(({ purl }) => purl))
  const packages = document.packages.filter(
    ({ SPDXID, externalRefs }) =>
      document.documentDescribes.includes(SPDXID) ||
      externalRefs.some(({ referenceLocator }) => urls.has(referenceLocator)),
  )
  const kept = new Set(['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }) => SPDXID)])
  const relationships = document.relationships.filter(
    ({ spdxElementId, relatedSpdxElement }) => kept.has(spdxElementId) && kept.has(relatedSpdxElement),
  )
  return { ...document, packages, relationships }
}

/** Adds the licenses that npm does not find, because only a license file or an older form of package.json has them. */
function withLicenses(root: string, cycloneDx: CycloneDx, spdx: Spdx): { cycloneDx: CycloneDx; spdx: Spdx } {
  const found = new Map<string, string>()
  const packages = spdx.packages.map((entry) => {
    const { packageFileName, licenseDeclared, externalRefs } = entry
    if (licenseDeclared !== 'NOASSERTION' || packageFileName === undefined) return entry
    const { name } = readLicense(join(root, packageFileName))
    for (const { referenceLocator } of externalRefs) found.set(referenceLocator, name)
    return { ...entry, licenseDeclared: name }
  })
  const components = cycloneDx.components.map((component) => {
    const expression = found.get(component.purl)
    return expression === undefined ? component : { ...component, licenses: [{ expression }] }
  })
  return { cycloneDx: { ...cycloneDx, components }, spdx: { ...spdx, packages } }
}

function completeCycloneDx(
  document: CycloneDx,
  release: Release,
  programs: readonly NodeProgram[],
): CycloneDx {
  const { metadata, components, dependencies } = document
  const root = metadata.component['bom-ref']
  const nodes = programs.map((program) => ({
    'bom-ref': referenceOf(program),
    type: 'library',
    name: program.name,
    version: program.version,
    scope: 'required',
    purl: packageUrl(program),
    hashes: [{ alg: 'SHA-512', content: sha512Of(program) }],
    licenses: [{ license: { id: 'MIT' } }],
  }))
  const complete = {
    ...document,
    serialNumber: '',
    metadata: {
      ...metadata,
      timestamp: release.committedAt.toISOString(),
      // npm names it after the folder of the checkout.
      component: { ...metadata.component, name: 'quayside' },
    },
    components: [...components, ...nodes],
    dependencies: [
      ...dependencies.map((dependency) =>
        dependency.ref === root
          ? { ...dependency, dependsOn: [...dependency.dependsOn, ...programs.map(referenceOf)] }
          : dependency,
      ),
      ...programs.map((program) => ({ ref: referenceOf(program), dependsOn: [] })),
    ],
  }
  return { ...complete, serialNumber: `urn:uuid:${uuidOf(complete)}` }
}

function completeSpdx(document: Spdx, release: Release, programs: readonly NodeProgram[]): Spdx {
  const [root] = document.documentDescribes
  const idOf = ({ name, version }: NodeProgram) => `SPDXRef-Package-${name}-${version}`
  const nodes = programs.map((program) => ({
    name: program.name,
    SPDXID: idOf(program),
    versionInfo: program.version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    homepage: 'NOASSERTION',
    licenseDeclared: 'MIT',
    externalRefs: [
      {
        referenceCategory: 'PACKAGE-MANAGER',
        referenceType: 'purl',
        referenceLocator: packageUrl(program),
      },
    ],
    checksums: [{ algorithm: 'SHA512', checksumValue: sha512Of(program) }],
  }))
  const complete = {
    ...document,
    documentNamespace: '',
    creationInfo: { ...document.creationInfo, created: release.committedAt.toISOString() },
    packages: [...document.packages, ...nodes],
    relationships: [
      ...document.relationships,
      ...programs.map((program) => ({
        spdxElementId: root,
        relatedSpdxElement: idOf(program),
        relationshipType: 'CONTAINS',
      })),
    ],
  }
  const namespace = `http://spdx.org/spdxdocs/quayside-${release.version}-${uuidOf(complete)}`
  return { ...complete, documentNamespace: namespace }
}

const referenceOf = ({ name, version }: NodeProgram): string => `${name}@${version}`

/** Returns a UUID (version 8) for the content of a document, so that the same content has the same one. */
function uuidOf(document: object): string {
  const bytes = createHash('sha256').update(JSON.stringify(document)).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
