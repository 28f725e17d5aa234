import { Checkbox, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { publisherText } from '../../text/trusted-publishers.ts'
import type { PublisherForm } from './publisher-form.ts'

type Props = { form: UseFormReturnType<PublisherForm>; provider: 'github' | 'gitlab' }

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'error', 'description']

/** The fields that describe the CI runs of a repository on GitHub or a project on GitLab. */
export function SourceFields({ form, provider }: Props) {
  const isGithub = provider === 'github'
  return (
    <>
      <RepositoryFields form={form} provider={provider} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TagsInput
          inputWrapperOrder={order}
          label="Branches"
          placeholder={form.values.branches.length === 0 ? 'main' : ''}
          description={publisherText.branches}
          acceptValueOnBlur
          {...form.getInputProps('branches')}
        />
        <TagsInput
          inputWrapperOrder={order}
          label="Tags"
          placeholder={form.values.tags.length === 0 ? 'v*' : ''}
          description={publisherText.tags}
          acceptValueOnBlur
          {...form.getInputProps('tags')}
        />
      </SimpleGrid>
      <TextInput
        inputWrapperOrder={order}
        label="Environment"
        placeholder="production"
        description={publisherText.environment}
        autoComplete="off"
        {...form.getInputProps('environment')}
      />
      {!isGithub && (
        <>
          <Checkbox
            label={publisherText.protected}
            {...form.getInputProps('isProtected', { type: 'checkbox' })}
          />
          <TextInput
            inputWrapperOrder={order}
            label="GitLab server"
            description={publisherText.issuer}
            {...form.getInputProps('issuer')}
          />
        </>
      )}
    </>
  )
}

function RepositoryFields({ form, provider }: Props) {
  const isGithub = provider === 'github'
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        inputWrapperOrder={order}
        label={isGithub ? 'Repository' : 'Project'}
        placeholder={isGithub ? 'acme/app' : 'group/project'}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('repository')}
      />
      <TextInput
        inputWrapperOrder={order}
        label={isGithub ? 'Repository ID' : 'Project ID'}
        placeholder="123456789"
        description={isGithub ? publisherText.githubId(form.values.repository) : publisherText.gitlabId}
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('repositoryId')}
      />
    </SimpleGrid>
  )
}
