import { mayHaveDebugIds } from '../debug-ids/read-debug-ids.ts'
import { isPdb } from '../executables/pdb-file.ts'
import type { ArtifactFormat } from './artifact-format.ts'

/** The number of bytes at the start of an artifact in which its format is searched for. */
export const maxArtifactHeadBytes = 64 * 1024

/** Matches the first element after an XML declaration, a document type, comments and processing instructions. */
const rootElement =
  /^\s*(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!-))*-->\s*|<!DOCTYPE[^>[]*>\s*)*<(?:[\w.-]+:)?([\w.-]+)([^>]*)/

/**
 * Returns the format of an artifact, or null if it is unknown. Reads at most the first 64 KiB. Recognizes CycloneDX
 * (JSON, XML), SPDX (JSON, XML, RDF, tag-value), SARIF, test reports (JUnit, NUnit, TRX), Cobertura reports, mappings of
 * R8 and ProGuard, Breakpad symbols, program databases and APK signatures of scheme v4.
 */
export function recognizeArtifact(head: Buffer, filename: string): ArtifactFormat | null {
  if (isPdb(head)) return 'pdb'
  // A signature file starts with its version, which any binary file could start with.
  if (/\.idsig$/i.test(filename) && head.length > 8 && head.readUInt32LE(0) === 2) return 'apk_signature'
  const text = head.toString('utf8', 0, maxArtifactHeadBytes).replace(/^\uFEFF/, '')
  const start = text.trimStart().charAt(0)
  if (start === '{') return recognizeJson(text)
  if (start === '<') return recognizeXml(text)
  return recognizeText(text)
}

/** Returns whether an artifact can contain debug IDs, which are read in the sandboxed process. */
export const mayContainDebugIds = (head: Buffer, format: ArtifactFormat | null): boolean =>
  format === 'r8_mapping' ||
  format === 'breakpad' ||
  head.toString('latin1', 0, 4) === 'PK\u0003\u0004' ||
  mayHaveDebugIds(head)

/** Searches the text instead of parsing it, because the document may be longer than the text. */
function recognizeJson(text: string): ArtifactFormat | null {
  if (/"bomFormat"\s*:\s*"CycloneDX"/.test(text)) return 'cyclonedx'
  const isSpdx =
    /"spdxVersion"\s*:\s*"SPDX-\d/.test(text) || /"@context"\s*:\s*"https:\/\/spdx\.org\/rdf\/3/.test(text)
  if (isSpdx) return 'spdx'
  const isSarif =
    /"\$schema"\s*:\s*"[^"\s]{0,300}sarif[^"\s]{0,100}"/.test(text) ||
    (/"version"\s*:\s*"2\.\d\.\d"/.test(text) && /"runs"\s*:\s*\[/.test(text) && /"driver"\s*:/.test(text))
  return isSarif ? 'sarif' : null
}

function recognizeXml(text: string): ArtifactFormat | null {
  const [, name, attributes = ''] = rootElement.exec(text) ?? []
  if (name === 'bom' && attributes.includes('://cyclonedx.org/schema/bom')) return 'cyclonedx'
  if (name === 'testsuites' || name === 'testsuite') return 'junit'
  if (name === 'test-run' || name === 'test-results') return 'nunit'
  if (name === 'TestRun' && attributes.includes('/VisualStudio/TeamTest/')) return 'trx'
  if (name === 'coverage' && /\sline-rate\s*=/.test(attributes)) return 'cobertura'
  if (name === 'RDF' && attributes.includes('://spdx.org/rdf/terms')) return 'spdx'
  return name === 'Document' && text.includes('<spdxVersion>') ? 'spdx' : null
}

function recognizeText(text: string): ArtifactFormat | null {
  if (/^MODULE \S+ \S+ [0-9A-F]{33,40} /.test(text)) return 'breakpad'
  if (/^SPDXVersion:\s*SPDX-\d/m.test(text)) return 'spdx'
  const lines = text.split('\n', 100)
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const isR8 = lines.some((line) => /^# (?:compiler: R8|pg_map_id: )/.test(line))
  if (!/^[^\s:<>]{1,1000} -> [^\s:<>]{1,1000}:\s*$/.test(first))
    return isR8 && first === '' ? 'r8_mapping' : null
  return isR8 ? 'r8_mapping' : 'proguard_mapping'
}
