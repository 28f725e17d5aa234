import { posix } from 'node:path'
import type { Finding } from './check-layers.ts'

const vague = new Set(
  'util utils helper helpers common misc shared manager managers service services impl'.split(' '),
)

/** Returns a finding if the file is a barrel or its path does not describe its content. */
export function nameFindings(path: string): Finding[] {
  const findings: Finding[] = []
  const inside = path.replace(/^packages\/[^/]+\//, '')
  const word = inside.split(/[/.-]/).find((part) => vague.has(part.toLowerCase()))
  if (word !== undefined)
    findings.push({
      path,
      line: 1,
      message: `"${word}" is not descriptive: use a noun or verb of the domain`,
    })
  if (/^index\.[cm]?[jt]sx?$/.test(posix.basename(path)))
    findings.push({ path, line: 1, message: 'no barrels: name the file after its content' })
  return findings
}
