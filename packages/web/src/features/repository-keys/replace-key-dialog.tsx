import { NativeSelect, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { RepositoryKey } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { repositoryKeyText } from '../../text/distribution/repository-keys.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import { repositoryKeysQuery } from './repository-key.queries.ts'

type Values = { kind: RepositoryKey['kind']; private_key: string; overlap_days: string }

/** Replaces the key that signs package repositories with a new one or with a key of the team. */
export function ReplaceKeyDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initialValues: { kind: 'openpgp', private_key: '', overlap_days: '90' },
  })
  const { kind } = form.values
  return (
    <FormDialog
      title={repositoryKeyText.replace}
      submitLabel={repositoryKeyText.replace}
      form={form}
      onClose={onClose}
      onSubmit={async ({ private_key: own, overlap_days: days }) => {
        const { message } = await api.createRepositoryKey({
          body: {
            kind,
            ...(kind === 'openpgp' ? { overlap_days: Number(days) } : {}),
            ...(own.trim() === '' ? {} : { private_key: own }),
          },
        })
        await queryClient.invalidateQueries(repositoryKeysQuery)
        showDone(message)
        onClose()
      }}
    >
      <NativeSelect
        label={repositoryKeyText.kind}
        data={[
          { value: 'openpgp', label: repositoryKeyText.kinds.openpgp },
          { value: 'x509', label: repositoryKeyText.kinds.x509 },
        ]}
        {...form.getInputProps('kind')}
      />
      <Text fz="sm">{repositoryKeyText.replaceHints[kind]}</Text>
      {kind === 'openpgp' && (
        <NativeSelect
          label={repositoryKeyText.overlap}
          description={repositoryKeyText.overlapHint}
          data={[...repositoryKeyText.overlapOptions]}
          {...form.getInputProps('overlap_days')}
        />
      )}
      <Textarea
        label={repositoryKeyText.ownKey}
        description={repositoryKeyText.ownKeyHints[kind]}
        placeholder={repositoryKeyText.ownKeyStarts[kind]}
        autosize
        minRows={3}
        maxRows={10}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('private_key')}
      />
    </FormDialog>
  )
}
