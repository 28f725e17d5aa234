import { serviceUrl } from '../../api/browser.ts'
import { exampleFile } from '../uploads/upload-command.ts'
import type { FirstApplication } from './setup-form.tsx'

type Snippet = { id: string; label: string; code: string; needsSecret: boolean }

/** Returns ways to upload a build to the application, to paste as they are. */
export function uploadSnippets({ id, platforms, apiKey }: FirstApplication): readonly Snippet[] {
  const platform = platforms[0] ?? 'generic'
  const file = exampleFile(platforms)
  const install = `curl -fsSL ${serviceUrl}/cli/install.sh | sh`
  const upload = `~/.local/bin/quayside upload ${file} --application ${id}`
  return [
    {
      id: 'quayside',
      label: 'quayside',
      needsSecret: false,
      code: [install, `export QUAYSIDE_API_KEY=${apiKey}`, upload].join('\n'),
    },
    { id: 'curl', label: 'curl', needsSecret: false, code: curlCommands(apiKey, file, platform) },
    {
      id: 'github',
      label: 'GitHub Actions',
      needsSecret: true,
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
      needsSecret: true,
      code: `upload:
  image: node:24
  script:
    - ${install}
    - ${upload}`,
    },
  ]
}

const curlCommands = (apiKey: string, file: string, platform: string): string => `KEY=${apiKey}
API=${serviceUrl}/api/v1
FILE=${file}
call() {
  curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"
}
UPLOAD=$(call $API/upload/request -d '{
  "platform": "${platform}", "stream": "default", "source": "cli-upload",
  "primary_file": {"filename": "'"$FILE"'", "size_bytes": '"$(wc -c < "$FILE" | tr -d ' ')"'},
  "version_component_1_major": 1, "version_component_2_minor": 0, "version_component_3_patch": 0
}')
curl -sS --fail-with-body -T "$FILE" "$(jq -r .primary_file.presigned_data.url <<<"$UPLOAD")"
call $API/upload/verify -d '{"pending_upload_id": "'"$(jq -r .pending_upload_id <<<"$UPLOAD")"'"}'`
