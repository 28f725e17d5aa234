import { Button, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { accessRequestText as text } from '../../../text/members/access-requests.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { IconCheck } from '../../../ui/icons/icons.ts'

const maxLength = 500

/** Offers to request access at the URL of an application that the person cannot open, whether or not it exists. */
export function RequestAccess() {
  const { applicationId } = useParams({ strict: false })
  const { applications } = useSession()
  // Owners and admins can open every application.
  if (applicationId === undefined || applications === null) return null
  if (applications.some(({ id }) => id === applicationId)) return null
  return <RequestButton key={applicationId} applicationId={applicationId} />
}

function RequestButton({ applicationId }: { applicationId: string }) {
  const [isAsking, ask] = useDisclosure()
  const [isRequested, setIsRequested] = useState(false)
  return (
    <>
      {isRequested ? (
        // The button stays, so that it keeps the focus.
        <Button variant="default" aria-disabled data-disabled leftSection={<IconCheck size={16} />}>
          Access requested
        </Button>
      ) : (
        <Button variant="default" onClick={ask.open}>
          Request access
        </Button>
      )}
      <Text role="status" size="sm" c="dimmed" ta="center" w="100%" maw="34rem">
        {isRequested && text.requested}
      </Text>
      {isAsking && (
        <RequestDialog
          applicationId={applicationId}
          onRequested={() => setIsRequested(true)}
          onClose={ask.close}
        />
      )}
    </>
  )
}

type DialogProps = { applicationId: string; onRequested: () => void; onClose: () => void }

function RequestDialog({ applicationId, onRequested, onClose }: DialogProps) {
  const form = useForm({ initialValues: { message: '' } })
  return (
    <FormDialog
      title="Request access"
      submitLabel="Send request"
      form={form}
      onClose={onClose}
      onSubmit={async ({ message }) => {
        const body = { application_id: applicationId, ...(message.trim() === '' ? {} : { message }) }
        await api.createAccessRequest({ body })
        onRequested()
        onClose()
      }}
    >
      <Textarea
        label="Message (optional)"
        description={text.hint}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={maxLength}
        data-autofocus
        {...form.getInputProps('message')}
      />
    </FormDialog>
  )
}
