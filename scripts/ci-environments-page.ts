import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Environment = {
  system: string
  source: string
  env: Record<string, string>
  expected: Record<string, string>
}

const columns: Record<string, string[]> = {
  pipeline: ['ci_pipeline'],
  run: ['ci_run_id', 'ci_run_url'],
  'build number': ['custom_build_number'],
  branch: ['vc_branch'],
  commit: ['vc_commit_sha', 'vc_commit_url'],
  repository: ['vc_repo_url', 'vc_repo_name'],
}

/** Returns the text of docs/ci-environments.md. The CI detection test of the CLI verifies each value. */
export function ciEnvironmentsPage(root: string): string {
  const fixture = join(root, 'packages/cli/src/ci/fixtures/ci-environments.json')
  const environments = JSON.parse(readFileSync(fixture, 'utf8')) as Environment[]
  const bySystem = Map.groupBy(environments, ({ system }) => system)
  bySystem.delete('No CI system')
  const rows = [...bySystem].map(([system, group]) => {
    const cells = Object.values(columns).map((fields) => variablesOf(group, fields))
    return `| ${[system, `\`${group[0]?.source}\``, ...cells].join(' | ')} |`
  })
  return `# CI environments

\`quayside upload\` records where a build comes from: pipeline, run, build number, branch, commit and repository. It reads
them from the environment of ${bySystem.size} CI systems. The table lists the variables that contain each value in the tested
environments; \`✓\` marks a value that is composed of several variables or read from a file.

To override a value, or to set it in another CI system, use the options \`--branch\`, \`--commit\`, \`--repository\`,
\`--run-id\`, \`--run-url\`, \`--build-number\` and \`--source\`. \`--no-scm\` turns detection off. Values that the environment
does not contain are read from the Git repository that contains the uploaded file, unless the CI run built another commit.
For a pull request, the commit is the head of its source branch, not the merge commit.

Builds of CI systems without their own source have the source \`cli-upload\`.

| CI system | Source | ${Object.keys(columns).map(capitalize).join(' | ')} |
|${'---|'.repeat(2 + Object.keys(columns).length)}
${rows.join('\n')}

This page is generated from \`packages/cli/src/ci/fixtures/ci-environments.json\` by \`npm run generate\`.
`
}

/** Returns the variables whose value is the expected value of one of the fields. */
function variablesOf(environments: Environment[], fields: string[]): string {
  const variables = new Set<string>()
  let isRecorded = false
  for (const { env, expected } of environments) {
    for (const value of fields.map((field) => expected[field])) {
      if (value === undefined) continue
      isRecorded = true
      for (const [name, text] of Object.entries(env)) if (isSource(text, value)) variables.add(name)
    }
  }
  if (variables.size === 0) return isRecorded ? '✓' : ''
  return [...variables].map((name) => `\`${name}\``).join(' ')
}

const isSource = (text: string, value: string): boolean =>
  text === value || text.replace(/^(refs\/(heads|tags)\/|origin\/)/, '') === value

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
