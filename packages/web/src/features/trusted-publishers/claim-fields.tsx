import { ActionIcon, Button, Group, Input, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { serviceUrl } from '../../api/browser.ts'
import { publisherText } from '../../text/trusted-publishers.ts'
import { IconPlus, IconX } from '../../ui/icons/icons.ts'
import type { PublisherForm } from './publisher-form.ts'

type Props = { form: UseFormReturnType<PublisherForm> }

/** The issuer, the audience and the required claims of tokens from any issuer. */
export function ClaimFields({ form }: Props) {
  const { claims } = form.values
  return (
    <>
      <TextInput
        label="Issuer"
        placeholder="https://agent.buildkite.com"
        description={publisherText.issuer}
        data-autofocus
        {...form.getInputProps('issuer')}
      />
      <TextInput
        label="Audience"
        placeholder={serviceUrl}
        description={publisherText.audience}
        {...form.getInputProps('audience')}
      />
      <Input.Wrapper
        label="Required claims"
        labelElement="div"
        description={publisherText.claims}
        error={form.errors['claims']}
      >
        {claims.map((_, index) => (
          // Rows have no identity beyond their position.
          <ClaimRow key={index} form={form} index={index} />
        ))}
        <Button
          variant="subtle"
          size="xs"
          mt={6}
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem('claims', { name: '', patterns: '' })}
        >
          Add a claim
        </Button>
      </Input.Wrapper>
    </>
  )
}

function ClaimRow({ form, index }: Props & { index: number }) {
  return (
    <Group gap="xs" mt={6} wrap="nowrap" align="start">
      <TextInput
        aria-label={`Name of claim ${index + 1}`}
        placeholder="sub"
        w="12rem"
        {...form.getInputProps(`claims.${index}.name`)}
      />
      <TextInput
        aria-label={`Values of claim ${index + 1}`}
        placeholder="organization:acme:pipeline:app:*"
        flex={1}
        {...form.getInputProps(`claims.${index}.patterns`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        mt={4}
        aria-label={`Remove claim ${index + 1}`}
        disabled={form.values.claims.length === 1}
        onClick={() => form.removeListItem('claims', index)}
      >
        <IconX size={16} />
      </ActionIcon>
    </Group>
  )
}
