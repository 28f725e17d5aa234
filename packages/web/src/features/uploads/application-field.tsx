import { Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { showFailure } from '../../ui/toast.tsx'
import type { Upload } from '../../upload/upload.ts'
import { applicationsQuery } from '../applications/application.queries.ts'
import { uploadQueue } from './upload-queue.ts'
import { loadUploadTarget } from './upload-target.ts'

/** The application of an upload. Shown to people who may upload to several. */
export function ApplicationField({ upload: { id, applicationId } }: { upload: Upload }) {
  const { can, sample_application_id: sampleId } = useSession()
  const queryClient = useQueryClient()
  const { data = [] } = useQuery(applicationsQuery)
  const applications = data.filter(
    (each) => can('builds:create', each.id) && (each.id !== sampleId || each.id === applicationId),
  )
  if (applications.length < 2) return null
  async function change(nextId: string): Promise<void> {
    await uploadQueue.setTarget(id, await loadUploadTarget(queryClient, nextId))
  }
  return (
    <Select
      size="xs"
      label="Application"
      placeholder="Choose"
      data={applications.map(({ id: value, name: label }) => ({ value, label }))}
      value={applicationId === '' ? null : applicationId}
      allowDeselect={false}
      searchable
      onChange={(nextId) => nextId !== null && void change(nextId).catch(showFailure)}
    />
  )
}
