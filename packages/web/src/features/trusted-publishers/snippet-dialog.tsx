import type { TrustedPublisher } from '@quayside/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { publisherText } from '../../text/trusted-publishers.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { exampleFile } from '../uploads/upload-command.ts'
import { publisherSnippet } from './publisher-snippet.ts'

/** Shows the CI configuration that uses a trusted publisher. */
export function SnippetDialog({ publisher, onClose }: { publisher: TrustedPublisher; onClose: () => void }) {
  const { data: application } = useSuspenseQuery(applicationQuery(publisher.application_id))
  const file = exampleFile(application.platforms.map(({ identifier }) => identifier))
  const { label, code } = publisherSnippet(publisher, file)
  return (
    <DoneDialog title={`${label}: ${publisher.name}`} onClose={onClose} size="lg">
      <div>{publisherText.snippet}</div>
      <CommandLine code={code} label={`${label} snippet`} />
      {publisher.warnings.map((warning) => (
        <Notice key={warning} kind="warn">
          {warning}
        </Notice>
      ))}
    </DoneDialog>
  )
}
