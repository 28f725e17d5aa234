import type { SingleApplication } from '@quayside/sdk'
import { serviceUrl } from '../../api/browser.ts'
import { exampleFile } from '../uploads/upload-command.ts'

export type Snippet = { id: string; label: string; code: string }

/** The URL of the command line's install script on this server. */
const install = `curl -fsSL ${serviceUrl}/cli/install.sh | sh`

/** Returns the commands that upload a build with a key, for a terminal and for CI systems. */
export function keySnippets(key: string, application: SingleApplication | undefined): Snippet[] {
  const applicationId = application?.id
  const file = exampleFile(application?.platforms.map(({ identifier }) => identifier) ?? [])
  const upload = `~/.local/bin/quayside upload ${file} --application ${applicationId ?? 'APPLICATION'}`
  return [
    {
      id: 'terminal',
      label: 'Terminal',
      code: `${install}\nexport QUAYSIDE_API_KEY=${key}\n${upload}`,
    },
    {
      id: 'github',
      label: 'GitHub Actions',
      code: `- name: Upload
  env:
    QUAYSIDE_API_KEY: \${{ secrets.QUAYSIDE_API_KEY }}
  run: |
    ${install}
    ${upload}`,
    },
    {
      id: 'gitlab',
      label: 'GitLab CI',
      code: `upload:
  image: node:24
  script:
    - ${install}
    - ${upload}`,
    },
    {
      id: 'curl',
      label: 'curl',
      code: `curl -sS ${serviceUrl}/api/v1/applications${applicationId === undefined ? '' : `/${applicationId}`} \\\n  -H "Authorization: Bearer ${key}"`,
    },
  ]
}
