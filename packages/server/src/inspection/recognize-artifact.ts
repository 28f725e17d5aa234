/** Formats of metadata artifacts that are recognized by their content. */
export type ArtifactFormat = 'cyclonedx' | 'spdx' | 'junit'

/** The number of bytes at the start of an artifact in which its format is searched for. */
export const maxArtifactHeadBytes = 64 * 1024

/** Matches the first element after an XML declaration, comments and processing instructions. */
const rootElement = /^\s*(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!-))*-->\s*)*<(?:[\w.-]+:)?([\w.-]+)([^>]*)/

/**
 * Returns the format of an artifact, or null if it is unknown. Reads at most the first 64 KiB. Recognizes CycloneDX
 * (JSON, XML), SPDX (JSON, XML, RDF, tag-value) and JUnit reports.
 */
export function recognizeArtifact(head: Buffer): ArtifactFormat | null {
  const text = head.toString('utf8', 0, maxArtifactHeadBytes).replace(/^\uFEFF/, '')
  const start = text.trimStart().charAt(0)
  if (start === '{') return recognizeJson(text)
  if (start === '<') return recognizeXml(text)
  return /^SPDXVersion:\s*SPDX-\d/m.test(text) ? 'spdx' : null
}

/** Searches the text instead of parsing it, because the document may be longer than the text. */
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
