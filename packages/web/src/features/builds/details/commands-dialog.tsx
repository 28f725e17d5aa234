import { Modal, Stack, Text } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { serviceUrl } from '../../../api/browser.ts'
import { CommandLine } from '../../../ui/command-line.tsx'

/** Shows the commands and requests that do the same as the page. */
export function CommandsDialog({ build, onClose }: { build: FullBuild; onClose: () => void }) {
  const options = `\\\n  --application ${build.application_id} --server ${serviceUrl}`
  const url = `${serviceUrl}/api/v1/applications/${build.application_id}/builds/${build.id}`
  const commands = [
    ['Download the files and verify their checksums', `quayside builds download ${build.id} ${options}`],
    ['Show the build as JSON', `quayside builds view ${build.id} --json ${options}`],
    [
      'Compare a local file with the build',
      `quayside verify ${quoted(build.primary_file.filename)} --build ${build.id} ${options}`,
    ],
    ['Get the build with the API', `curl -H "Authorization: Bearer $QUAYSIDE_API_KEY" \\\n  ${url}`],
    [
      'Download the primary file with the API',
      `curl -L -OJ -H "Authorization: Bearer $QUAYSIDE_API_KEY" \\\n  ${url}/file`,
    ],
  ] as const
  return (
    <Modal opened onClose={onClose} title="Commands and API" size="lg">
      <Stack gap="md">
        {commands.map(([title, code]) => (
          <div key={title}>
            <Text fz="sm" fw={500} mb={4}>
              {title}
            </Text>
            <CommandLine code={code} label={title.toLowerCase()} />
          </div>
        ))}
      </Stack>
    </Modal>
  )
}

/** Returns a file name that a shell reads as one word. */
const quoted = (text: string): string =>
  /^[\w.+@/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
