import { cycleFindings, featureDiagram } from './cycle-rules.ts'
import { eventFindings } from './event-rules.ts'
import { importFindings } from './import-rules.ts'
import { nameFindings } from './name-rules.ts'
import { problemFindings } from './problem-rules.ts'
import { roomFindings } from './room-rules.ts'
import { readSource, type Source, type SourceFile } from './source.ts'
import { tableOwners } from './table-owners.ts'
import { tableFindings } from './table-rules.ts'
import { textFindings } from './text-rules.ts'

export type Finding = { path: string; line: number; message: string }

/**
 * Returns violations of the rules in docs/architecture.md: first the violations in each file, then import cycles and
 * events that are never emitted.
 */
export function checkLayers(files: SourceFile[]): Finding[] {
  const sources: Source[] = []
  const findings = files.flatMap((file) => {
    if (file.path.endsWith('.sql')) return ownerlessTables(file)
    const source = readSource(file)
    if (source instanceof SyntaxError) return [{ path: file.path, line: 1, message: source.message }]
    sources.push(source)
    return [
      ...nameFindings(file.path),
      ...importFindings(source),
      ...tableFindings(source),
      ...problemFindings(source),
      ...textFindings(source),
    ]
  })
  return [...findings, ...cycleFindings(sources), ...eventFindings(files, sources), ...roomFindings(sources)]
}

/** Returns the feature import diagram for docs/architecture.md. */
export function drawFeatures(files: SourceFile[]): string {
  const sources = files.filter(({ path }) => !path.endsWith('.sql')).map(readSource)
  return featureDiagram(sources.flatMap((source) => (source instanceof SyntaxError ? [] : [source])))
}

function ownerlessTables({ path, text }: SourceFile): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const table = /^\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?"?([a-z_]+)/i.exec(
      content,
    )?.[1]
    if (table === undefined || table in tableOwners) return []
    const message = `the table ${table} has no owner: add its folder to scripts/layers/table-owners.ts`
    return [{ path, line: index + 1, message }]
  })
}
