import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { contractLines, contractSections } from '../packages/server/test/contract/lines.ts'

type TestReference = { file: string; title: string }

const longestFirst = [...contractLines.keys()].toSorted((a, b) => b.length - a.length)

/**
 * Returns the text of docs/contract.md and the errors: lines without a test, and tests that reference an unknown line.
 */
export function contractPage(root: string): { text: string; errors: string[] } {
  const files = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root }).toSorted()
  const tests = new Map<string, TestReference[]>()
  const errors: string[] = []
  for (const file of files) {
    for (const { name, title } of referencesIn(readFileSync(join(root, file), 'utf8'))) {
      if (!contractLines.has(name))
        errors.push(`${file} names "${name}", which is not a line of the contract`)
      else tests.set(name, [...(tests.get(name) ?? []), { file, title }])
    }
  }
  const untested = [...contractLines.keys()].filter((name) => !tests.has(name))
  errors.push(...untested.map((name) => `no test names "${name}"`))
  return { text: page(tests, root), errors }
}

/**
 * Yields every reference to a contract line in a test file, with the title of the test. Includes references to unknown
 * lines.
 */
function* referencesIn(text: string): Generator<{ name: string; title: string }> {
  for (const { index } of text.matchAll(/§\d/g)) {
    const rest = text.slice(index)
    const name =
      longestFirst.find((known) => rest.startsWith(known)) ?? rest.slice(0, 60).split(/['"`\n]/)[0] ?? ''
    const before = /['"`]([^'"`\n]*)$/.exec(text.slice(0, index))?.[1] ?? ''
    yield { name, title: before.replace(/ \(.*$/, '') }
  }
}

function page(tests: ReadonlyMap<string, TestReference[]>, root: string): string {
  const sections = contractSections.map(([section, { title, lines }]) => {
    const rows = Object.entries(lines).map(([name, text]) => {
      const references = (tests.get(`§${section} ${name}`) ?? []).map((test) => link(test, root))
      return `| ${cell(name)} | ${cell(text)} | ${references.join('<br>')} |`
    })
    return `## ${section} ${title}\n\n| Line | Type or requirement | Tests |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# API contract

This page lists what clients can rely on: resources and their fields, endpoints, scopes, errors and limits. A change
that violates a line is a breaking change.

Each line has at least one test; \`npm run check\` fails otherwise. The title of a test ends with the section and name of
each line that it covers, for example \`§4.2 builds.sort\`. If no title is shown, the title of the test is generated
from the line. Section numbers are not consecutive, because sections without testable lines are omitted.

To change a line, edit \`lines.ts\` or \`resource-lines.ts\` in \`packages/server/test/contract\` and run
\`npm run generate\`, which generates this page.

${sections.join('\n')}`
}

function link({ file, title }: TestReference, root: string): string {
  const target = `[${file.split('/').at(-1)}](${relative(join(root, 'docs'), join(root, file))})`
  return title === '' ? target : `${target}: ${cell(title)}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
