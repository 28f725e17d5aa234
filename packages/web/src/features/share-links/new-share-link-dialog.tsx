import {
  Button,
  Group,
  Modal,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ShareLink } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/errors.ts'
import { shareLinkText } from '../../text/share-link.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { createShareLink, keyOfShareables, type Shareable } from './share-link.queries.ts'

type Props = {
  shareable: Shareable
  /** What is shared, such as `2.14.0 (8123)`. */
  name?: string | undefined
  onClose: () => void
}

/** Creates a share link and shows it. */
export function NewShareLinkDialog({ shareable, name, onClose }: Props) {
  const [link, setLink] = useState<ShareLink>()
  const subject = name ?? `this ${shareable.type}`
  return (
    <Modal opened onClose={onClose} title={link === undefined ? `Share ${subject}` : 'Share link created'}>
      {link === undefined ? (
        <LinkForm shareable={shareable} onCreated={setLink} onClose={onClose} />
      ) : (
        <Stack align="center">
          <QrCode text={link.url} label="QR code of the share link" size={180} />
          <CommandLine code={link.url} label="share link" />
          <Text fz="sm" c="dimmed" ta="center">
            {link.password_protected ? shareLinkText.createdWithPassword : shareLinkText.created}
          </Text>
          <Button fullWidth onClick={onClose} data-autofocus>
            Done
          </Button>
        </Stack>
      )}
    </Modal>
  )
}

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
]

const dayMs = 86_400_000

type FormProps = { shareable: Shareable; onCreated: (link: ShareLink) => void; onClose: () => void }

function LinkForm({ shareable, onCreated, onClose }: FormProps) {
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>()
  const form = useForm({
    initialValues: { lifetime: '30', date: '', password: '', maxDownloads: '' as number | '' },
    validate: {
      date: (value, { lifetime }) => (lifetime === 'date' && value === '' ? 'Choose a date.' : null),
    },
  })

  async function create(values: typeof form.values): Promise<void> {
    const expiresAt = expiryOf(values)
    setError(undefined)
    try {
      const link = await createShareLink(shareable, {
        ...(values.password === '' ? {} : { password: values.password }),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(values.maxDownloads === '' ? {} : { max_downloads: values.maxDownloads }),
      })
      void queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) })
      onCreated(link)
    } catch (failure) {
      const { expires_at: date, max_downloads: maxDownloads, password } = fieldErrorsOf(failure)
      form.setErrors({ date, maxDownloads, password })
      if (date === undefined && maxDownloads === undefined && password === undefined) setError(failure)
    }
  }

  return (
    <form onSubmit={form.onSubmit(create)}>
      <Stack>
        <Select
          label="Expires"
          data={lifetimes}
          data-autofocus
          allowDeselect={false}
          error={form.values.lifetime === 'date' ? undefined : form.errors['date']}
          {...form.getInputProps('lifetime')}
        />
        {form.values.lifetime === 'date' && (
          <TextInput type="datetime-local" label="Date and time" {...form.getInputProps('date')} />
        )}
        <PasswordInput
          label="Password"
          placeholder="Optional"
          description={shareLinkText.passwordHelp}
          autoComplete="new-password"
          maxLength={72}
          {...form.getInputProps('password')}
        />
        <NumberInput
          label="Download limit"
          placeholder="Unlimited"
          description={shareLinkText.limitHelp}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          {...form.getInputProps('maxDownloads')}
        />
        {error !== undefined && <FailureBanner error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            Create link
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function expiryOf({ lifetime, date }: { lifetime: string; date: string }): string | undefined {
  if (lifetime === 'never') return undefined
  return new Date(lifetime === 'date' ? date : Date.now() + Number(lifetime) * dayMs).toISOString()
}
