import type { TrustedPublisher } from '@quayside/sdk'
import { serviceUrl } from '../../api/browser.ts'
import type { Snippet } from '../api-keys/ci-snippets.ts'
import { formOf } from './publisher-form.ts'

const install = `curl -fsSL ${serviceUrl}/cli/install.sh | sh`

/** Returns the CI configuration that uploads a build through a trusted publisher. */
export function publisherSnippet(publisher: TrustedPublisher, file: string): Snippet {
  const upload = `~/.local/bin/quayside upload ${file}`
  const form = formOf(publisher, serviceUrl)
  const { application_id: id, audience } = publisher
  const audienceLine = audience === serviceUrl ? [] : [`QUAYSIDE_OIDC_AUDIENCE: ${audience}`]
  if (form.provider === 'github')
    return {
      id: 'github',
      label: 'GitHub Actions',
      code: [
        'on:',
        '  push:',
        ...lists('    ', { branches: form.branches, tags: form.tags }),
        'jobs:',
        '  upload:',
        '    runs-on: ubuntu-latest',
        ...(form.environment === '' ? [] : [`    environment: ${form.environment}`]),
        '    permissions:',
        '      contents: read',
        '      id-token: write # lets the job request its token',
        '    env:',
        ...[`QUAYSIDE_APPLICATION: ${id}`, ...audienceLine].map((line) => `      ${line}`),
        '    steps:',
        '      - uses: actions/checkout@v4',
        `      - run: make dist # creates ${file}`,
        '      - run: |',
        `          ${install}`,
        `          ${upload}`,
      ].join('\n'),
    }
  if (form.provider === 'gitlab')
    return {
      id: 'gitlab',
      label: 'GitLab CI',
      code: [
        'upload:',
        '  image: node:24',
        ...(form.environment === '' ? [] : [`  environment: ${form.environment}`]),
        '  variables:',
        `    QUAYSIDE_APPLICATION: ${id}`,
        '  id_tokens:',
        '    QUAYSIDE_ID_TOKEN:',
        `      aud: ${audience}`,
        ...gitlabRules(form.branches),
        '  script:',
        `    - ${install}`,
        `    - ${upload}`,
      ].join('\n'),
    }
  return {
    id: 'other',
    label: 'Shell',
    code: [
      `# QUAYSIDE_ID_TOKEN is a token from the issuer with the audience ${audience}`,
      `export QUAYSIDE_APPLICATION=${id}`,
      install,
      upload,
    ].join('\n'),
  }
}

/** Workflows run for every push if neither branches nor tags are listed. */
const lists = (indent: string, named: Record<string, string[]>): string[] =>
  Object.entries(named)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${indent}${name}: [${values.map((value) => `'${value}'`).join(', ')}]`)

function gitlabRules(refs: readonly string[]): string[] {
  if (refs.length === 0) return []
  const condition = (ref: string) =>
    ref.includes('*')
      ? `$CI_COMMIT_REF_NAME =~ /^${ref.replaceAll('/', '\\/').replaceAll('*', '.*')}$/`
      : `$CI_COMMIT_REF_NAME == "${ref}"`
  return ['  rules:', ...refs.map((ref) => `    - if: ${condition(ref)}`)]
}
