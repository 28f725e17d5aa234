import { SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { QuaysideError, type TrustedPublisher } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { api } from '../../api/client.ts'
import { fieldText } from '../../text/fields.ts'
import { publisherText } from '../../text/trusted-publishers.ts'
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { ScopePicker } from '../../ui/forms/scope-picker.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ClaimFields } from './claim-fields.tsx'
import {
  claimsOf,
  emptyForm,
  formOf,
  githubIssuer,
  gitlabIssuer,
  type Provider,
  type PublisherForm,
} from './publisher-form.ts'
import { SnippetDialog } from './snippet-dialog.tsx'
import { SourceFields } from './source-fields.tsx'
import { trustedPublishersQuery } from './trusted-publisher.queries.ts'

const providers: { value: Provider; label: string; issuer: string }[] = [
  { value: 'github', label: 'GitHub Actions', issuer: githubIssuer },
  { value: 'gitlab', label: 'GitLab CI', issuer: gitlabIssuer },
  { value: 'other', label: 'Another issuer', issuer: '' },
]

type Props = {
  applicationId: string
  /** The publisher to change; a new one if undefined. */
  publisher?: TrustedPublisher
  onClose: () => void
}

/** Asks which CI runs may get keys, and shows the CI configuration afterwards. */
export function PublisherDialog({ applicationId, publisher, onClose }: Props) {
  useReturnFocus()
  const [saved, setSaved] = useState<TrustedPublisher>()
  const queryClient = useQueryClient()
  const form = usePublisherForm(publisher)
  if (saved !== undefined) return <SnippetDialog publisher={saved} onClose={onClose} />
  const { provider, repository, repositoryId, branches, tags, environment } = form.values
  const isAnyRef =
    `${repository}${repositoryId}`.trim() !== '' &&
    provider !== 'other' &&
    branches.length + tags.length === 0 &&
    environment.trim() === ''
  return (
    <FormDialog
      title={publisher === undefined ? 'New trusted publisher' : `Trusted publisher ${publisher.name}`}
      submitLabel={publisher === undefined ? 'Create trusted publisher' : 'Save'}
      size="lg"
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        try {
          const data = await save(applicationId, publisher, values)
          await queryClient.invalidateQueries(trustedPublishersQuery(applicationId))
          setSaved(data)
        } catch (error) {
          throw provider === 'other' ? error : atRepository(error)
        }
      }}
    >
      <IssuerSelect form={form} />
      <Stack>
        {provider === 'other' ? (
          <ClaimFields form={form} />
        ) : (
          <SourceFields form={form} provider={provider} />
        )}
        {isAnyRef && <Notice kind="warn">{publisherText.anyRef}</Notice>}
        <TextInput
          label="Name"
          placeholder={form.values.repository === '' ? 'Release workflow' : form.values.repository}
          {...form.getInputProps('name')}
        />
        <ScopePicker
          kind="application"
          value={form.values.scopes}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
          error={form.errors['scopes']}
        />
        {publisher !== undefined && <Notice kind="info">{publisherText.edited}</Notice>}
      </Stack>
    </FormDialog>
  )
}

function usePublisherForm(publisher: TrustedPublisher | undefined) {
  return useForm({
    initialValues: publisher === undefined ? emptyForm : formOf(publisher, serviceUrl),
    validate: {
      repository: (text, { provider, repositoryId }) =>
        provider !== 'other' && text.trim() === '' && repositoryId.trim() === ''
          ? publisherText.enterRepository
          : null,
      issuer: (text) => (text.trim() === '' ? publisherText.enterIssuer : null),
      scopes: (scopes) => (scopes.length === 0 ? fieldText.selectScope : null),
    },
  })
}

function IssuerSelect({ form }: { form: UseFormReturnType<PublisherForm> }) {
  return (
    <SegmentedControl
      fullWidth
      aria-label="Issuer"
      value={form.values.provider}
      data={providers}
      onChange={(value) => {
        const next = providers.find((each) => each.value === value)
        if (next !== undefined) form.setValues({ provider: next.value, issuer: next.issuer })
      }}
    />
  )
}

/** Creates a publisher, or changes the one that is passed. */
async function save(
  applicationId: string,
  publisher: TrustedPublisher | undefined,
  values: PublisherForm,
): Promise<TrustedPublisher> {
  const { name, repository, issuer, audience, scopes } = values
  const body = {
    name: name.trim() === '' && repository !== '' ? repository : name,
    issuer,
    audience: audience.trim() === '' ? serviceUrl : audience,
    claims: claimsOf(values),
    scopes,
  }
  const path = { application_id: applicationId }
  const { data } =
    publisher === undefined
      ? await api.createTrustedPublisher({ ...path, body })
      : await api.updateTrustedPublisher({ ...path, trusted_publisher_id: publisher.id, body })
  return data
}

/** Moves the errors of single claims to the field for the repository, because the form does not show claims. */
function atRepository(error: unknown): unknown {
  if (!(error instanceof QuaysideError)) return error
  const entries = Object.entries(error.errors).map(
    ([path, messages]) => [path.startsWith('claims') ? 'repository' : path, messages] as const,
  )
  return new QuaysideError(error.status, error.message, {
    code: error.code,
    requestId: error.requestId,
    errors: Object.fromEntries(entries),
  })
}
