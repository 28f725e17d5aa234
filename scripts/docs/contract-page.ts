import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { contractLines } from '../../packages/server/test/contract/lines.ts'

const byLength = [...contractLines.keys()].toSorted((a, b) => b.length - a.length)

/** docs/contract.md, and what is wrong: lines that no test names, names that are no line. */
export function contractPage(root: string): { text: string; faults: string[] } {
  const tests = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root }).toSorted()
  const filesOf = new Map<string, string[]>()
  const faults: string[] = []
  for (const file of tests) {
    for (const name of namedIn(readFileSync(join(root, file), 'utf8'))) {
      if (!contractLines.has(name)) faults.push(`${file} names "${name}", which is no line of the contract`)
      else if (filesOf.get(name)?.includes(file) !== true)
        filesOf.set(name, [...(filesOf.get(name) ?? []), file])
    }
  }
  const bare = [...contractLines.keys()].filter((name) => !filesOf.has(name))
  faults.push(...bare.map((name) => `no test names "${name}"`))
  return { text: page(filesOf, root), faults }
}

/** Names of lines in the text of a test; what follows § and begins no known name is given as it stands. */
function* namedIn(text: string): Generator<string> {
  for (const { index } of text.matchAll(/§\d/g)) {
    const rest = text.slice(index)
    yield byLength.find((name) => rest.startsWith(name)) ?? rest.slice(0, 60).split(/['"`\n]/)[0] ?? ''
  }
}

function page(filesOf: ReadonlyMap<string, string[]>, root: string): string {
  const rows = [...contractLines].map(([name, says]) => {
    const files = (filesOf.get(name) ?? []).map((file) => {
      const path = relative(join(root, 'docs'), join(root, file))
      return `[${file.split('/').at(-1)}](${path})`
    })
    const [section = '', ...rest] = name.split(' ')
    return `| ${section} | ${cell(rest.join(' '))} | ${cell(says)} | ${files.join(', ')} |`
  })
  return `# The contract and its tests

Made by \`npm run docs\`; \`npm run check\` fails when a line has no test. Each test names its lines in its title.

| § | line | says | tests |
|---|---|---|---|
${rows.join('\n')}
`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
