import type { SingleApplication, Stream } from '@quayside/sdk'
import { permalinkText } from '../../text/distribution/permalinks.ts'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { Permalink } from './permalink.tsx'

type Props = {
  application: Pick<SingleApplication, 'id' | 'platforms'>
  stream: Stream
  onClose: () => void
}

/** Shows the permalinks of a stream. They contain its ID, because a new name must not break them. */
export function StreamPermalinkDialog({ application, stream, onClose }: Props) {
  return (
    <DoneDialog title={`Permalink to ${stream.name}`} size="lg" onClose={onClose}>
      <Permalink
        applicationId={application.id}
        path={`${stream.id}/latest`}
        hint={permalinkText.stream}
        platforms={application.platforms}
      />
    </DoneDialog>
  )
}
