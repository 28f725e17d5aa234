import { fileExtensions, longestOf } from './file-endings.ts'
import { filetypeResource, type FiletypeResource } from './filetypes.ts'

type ExpansionRule = {
  platform: string
  primaryFiletype: string
  identifier: string
  name: string
  mimeType: string
}

export type ExpansionFiletype = Pick<ExpansionRule, 'identifier' | 'name' | 'mimeType'> & {
  extension: string
}

/** The identifier is the extension too. */
const rules: readonly ExpansionRule[] = [
  {
    platform: 'android',
    primaryFiletype: 'apk',
    identifier: 'obb',
    name: 'Android Expansion File',
    mimeType: 'application/octet-stream',
  },
]

const longestExtension = longestOf(rules.map(({ identifier }) => identifier))
const ruleKey = (platform: string, primaryFiletype: string): string => `${platform} ${primaryFiletype}`
const rulesByPrimary = Map.groupBy(rules, (rule) => ruleKey(rule.platform, rule.primaryFiletype))
const byIdentifier = new Map(rules.map((rule) => [rule.identifier, rule]))

/** The type of a file that accompanies a primary one; undefined = that primary type takes no such companion. */
export function expansionFiletypeFor(file: {
  platform: string
  /** identifier */
  primaryFiletype: string
  filename: string
}): ExpansionFiletype | undefined {
  const extensions = fileExtensions(file.filename, longestExtension)
  const rule = rulesByPrimary
    .get(ruleKey(file.platform, file.primaryFiletype))
    ?.find(({ identifier }) => extensions.includes(identifier))
  if (rule === undefined) return undefined
  return { identifier: rule.identifier, name: rule.name, extension: rule.identifier, mimeType: rule.mimeType }
}

/** Extensions without their dot; empty where no expansion file may come along. */
export function acceptedExpansionExtensions(platform: string, primaryFiletype: string): string[] {
  return (rulesByPrimary.get(ruleKey(platform, primaryFiletype)) ?? []).map(({ identifier }) => identifier)
}

/** As answers show it, under `filetype` and `expansion_filetype`. */
export function expansionFiletypeResource(identifier: string): FiletypeResource {
  const rule = byIdentifier.get(identifier)
  if (rule === undefined) return filetypeResource(identifier)
  return { identifier, name: rule.name, extension: rule.identifier, mime_type: rule.mimeType }
}
