import { importFindings } from './import-rules.ts'
import { nameFindings } from './name-rules.ts'
import { readSource } from './source.ts'
import type { SourceFile } from './source.ts'
import { tableOwners } from './table-owners.ts'
import { tableFindings } from './table-rules.ts'

export type Finding = { path: string; line: number; message: string }

/** Everything in the files that goes against the rules of docs/architecture.md, in the order of the files. */
export function checkLayers(files: SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    if (file.path.endsWith('.sql')) return ownerlessTables(file)
    const source = readSource(file)
    if (source instanceof SyntaxError) return [{ path: file.path, line: 1, message: source.message }]
    return [...nameFindings(file.path), ...importFindings(source), ...tableFindings(source)]
  })
}

function ownerlessTables({ path, text }: SourceFile): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const table = /^\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?"?([a-z_]+)/i.exec(
      content,
    )?.[1]
    if (table === undefined || table in tableOwners) return []
    const message = `nobody owns the table ${table}: name its folder in scripts/layers/table-owners.ts`
    return [{ path, line: index + 1, message }]
  })
}
