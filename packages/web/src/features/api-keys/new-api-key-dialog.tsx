import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CreatedApiKey } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { apiKeyText } from '../../text/api-keys.ts'
import { fieldText } from '../../text/fields.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { ScopePicker } from '../../ui/forms/scope-picker.tsx'
import { IconKey } from '../../ui/icons/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { apiKeysQuery } from './api-key.queries.ts'
import { keySnippets } from './ci-snippets.ts'
import { expiresAt, ExpiryField, type Expiry } from './expiry-field.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'

type Props = { applicationId?: string | undefined; onClose: () => void }

/** Creates an API key, then shows it once with the commands that use it. */
export function NewApiKeyDialog({ applicationId, onClose }: Props) {
  useReturnFocus()
  const [created, setCreated] = useState<CreatedApiKey>()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { name: '', scopes: ['builds:create'], expires_at: '90' satisfies Expiry as Expiry },
    validate: {
      name: (name) => (name.trim() === '' ? apiKeyText.enterName : null),
      scopes: (scopes) => (scopes.length === 0 ? fieldText.selectScope : null),
    },
  })
  if (created !== undefined)
    return <CreatedKey created={created} applicationId={applicationId} onClose={onClose} />
  return (
    <FormDialog
      title="New API key"
      submitLabel="Create key"
      size="lg"
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, scopes, expires_at }) => {
        const body = { name, scopes, expires_at: expiresAt(expires_at) }
        const { data } =
          applicationId === undefined
            ? await api.createWorkspaceApiKey({ body })
            : await api.createApplicationApiKey({ application_id: applicationId, body })
        setCreated(data)
        await queryClient.invalidateQueries({ queryKey: apiKeysQuery(applicationId).queryKey })
      }}
    >
      <TextInput
        label="Name"
        placeholder="GitHub Actions, nightly builds"
        {...form.getInputProps('name')}
        data-autofocus
        autoComplete="off"
      />
      <ExpiryField
        value={form.values.expires_at}
        onChange={(expiry) => form.setFieldValue('expires_at', expiry)}
        error={form.errors['expires_at']}
      />
      <ScopePicker
        kind={applicationId === undefined ? 'workspace' : 'application'}
        value={form.values.scopes}
        onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        error={form.errors['scopes']}
      />
    </FormDialog>
  )
}

type CreatedProps = Props & { created: CreatedApiKey }

function CreatedKey({ created: { name, key }, applicationId, onClose }: CreatedProps) {
  const { data: application } = useQuery({
    ...applicationQuery(applicationId ?? ''),
    enabled: applicationId !== undefined,
  })
  return (
    <DoneDialog title={`API key ${name}`} onClose={onClose} size="lg" keepsOpen="on outside click">
      <Notice kind="warn" icon={<IconKey size={18} />}>
        {apiKeyText.shownOnce}
      </Notice>
      <CommandLine code={key} label="API key" />
      <div>{apiKeyText.secretName}</div>
      <SnippetTabs snippets={keySnippets(key, application)} />
    </DoneDialog>
  )
}
