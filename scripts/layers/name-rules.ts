import { posix } from 'node:path'
import type { Finding } from './check-layers.ts'

const empty = new Set(
  'util utils helper helpers common misc shared manager managers service services impl'.split(' '),
)

/** Names that say nothing, and barrels. */
export function nameFindings(path: string): Finding[] {
  const findings: Finding[] = []
  const inside = path.replace(/^packages\/[^/]+\//, '')
  const word = inside.split(/[/.-]/).find((part) => empty.has(part.toLowerCase()))
  if (word !== undefined)
    findings.push({ path, line: 1, message: `"${word}" says nothing: name the noun or the verb` })
  if (/^index\.[cm]?[jt]sx?$/.test(posix.basename(path)))
    findings.push({ path, line: 1, message: 'no barrels: name the file after what it holds' })
  return findings
}
