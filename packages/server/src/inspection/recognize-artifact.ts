/** Formats of metadata artifacts that are recognized by their content. */
export type ArtifactFormat = 'cyclonedx' | 'spdx' | 'junit'

/** The number of bytes at the start of an artifact that are sufficient to recognize its format. */
export const maxArtifactHeadBytes = 64 * 1024

/** The first element after an XML declaration, comments and processing instructions. */
const rootElement = /^\s*(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!-))*-->\s*)*<(?:[\w.-]+:)?([\w.-]+)([^>]*)/

/**
 * Returns the format of an artifact from its first bytes, of which at most 64 KiB are read, or null. Recognizes
 * CycloneDX in JSON and XML, SPDX in JSON, XML, RDF and as tags, and JUnit reports.
 */
export function recognizeArtifact(head: Buffer): ArtifactFormat | null {
  const text = head.toString('utf8', 0, maxArtifactHeadBytes).replace(/^\uFEFF/, '')
  const start = text.trimStart().charAt(0)
  if (start === '{') return recognizeJson(text)
  if (start === '<') return recognizeXml(text)
  return /^SPDXVersion:\s*SPDX-\d/m.test(text) ? 'spdx' : null
}

/** The head can end inside the document, so it is not parsed. */
function recognizeJson(text: string): ArtifactFormat | null {
  if (/"bomFormat"\s*:\s*"CycloneDX"/.test(text)) return 'cyclonedx'
  const isSpdx =
    /"spdxVersion"\s*:\s*"SPDX-\d/.test(text) || /"@context"\s*:\s*"https:\/\/spdx\.org\/rdf\/3/.test(text)
  return isSpdx ? 'spdx' : null
}

function recognizeXml(text: string): ArtifactFormat | null {
  const [, name, attributes = ''] = rootElement.exec(text) ?? []
  if (name === 'bom' && attributes.includes('://cyclonedx.org/schema/bom')) return 'cyclonedx'
  if (name === 'testsuites' || name === 'testsuite') return 'junit'
  if (name === 'RDF' && attributes.includes('://spdx.org/rdf/terms')) return 'spdx'
  return name === 'Document' && text.includes('<spdxVersion>') ? 'spdx' : null
}
