import { fileExtensions, maxLengthOf } from './file-endings.ts'
import { filetypeResource, type FiletypeResource } from './filetypes.ts'
import { indexByIdentifier } from './named-entries.ts'

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

// The identifier of each type is also its extension.
const rules: readonly ExpansionRule[] = [
  {
    platform: 'android',
    primaryFiletype: 'apk',
    identifier: 'obb',
    name: 'Android Expansion File',
    mimeType: 'application/octet-stream',
  },
]

const maxExtensionLength = maxLengthOf(rules.map(({ identifier }) => identifier))
const ruleKey = (platform: string, primaryFiletype: string): string => `${platform} ${primaryFiletype}`
const rulesByPrimary = Map.groupBy(rules, (rule) => ruleKey(rule.platform, rule.primaryFiletype))
const byIdentifier = indexByIdentifier(rules)

/** Returns the type of an expansion file, or undefined if the primary file type does not accept the file. */
export function expansionFiletypeFor(file: {
  platform: string
  /** Identifier of the primary file's type. */
  primaryFiletype: string
  filename: string
}): ExpansionFiletype | undefined {
  const extensions = fileExtensions(file.filename, maxExtensionLength)
  const rule = rulesByPrimary
    .get(ruleKey(file.platform, file.primaryFiletype))
    ?.find(({ identifier }) => extensions.includes(identifier))
  if (rule === undefined) return undefined
  return { identifier: rule.identifier, name: rule.name, extension: rule.identifier, mimeType: rule.mimeType }
}

/** Returns the accepted extensions without the leading dot, or an empty list if no expansion file is accepted. */
export function acceptedExpansionExtensions(platform: string, primaryFiletype: string): string[] {
  return (rulesByPrimary.get(ruleKey(platform, primaryFiletype)) ?? []).map(({ identifier }) => identifier)
}

/** Returns the file type as it appears in responses under `filetype` and `expansion_filetype`. */
export function expansionFiletypeResource(identifier: string): FiletypeResource {
  const rule = byIdentifier.get(identifier)
  if (rule === undefined) return filetypeResource(identifier)
  return { identifier, name: rule.name, extension: rule.identifier, mime_type: rule.mimeType }
}
