import { Button, Group, Modal, Stack } from '@mantine/core'
import type { TrustedPublisher } from '@quayside/sdk'
import { publisherText } from '../../text/trusted-publishers.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Note } from '../../ui/note.tsx'
import { publisherSnippet } from './publisher-snippet.ts'

/** Shows the CI configuration that uses a trusted publisher. */
export function SnippetDialog({ publisher, onClose }: { publisher: TrustedPublisher; onClose: () => void }) {
  const { label, code } = publisherSnippet(publisher)
  return (
    <Modal opened onClose={onClose} title={`${label}: ${publisher.name}`} size="lg">
      <Stack>
        <div>{publisherText.snippet}</div>
        <CommandLine code={code} label={`${label} snippet`} />
        {publisher.warnings.map((warning) => (
          <Note key={warning} tone="warn">
            {warning}
          </Note>
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
