import { Table, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QuaysideError, type TrustedPublisher } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { exchangeHints, publisherText } from '../../text/trusted-publishers.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { IconCheck, IconX } from '../../ui/icons/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import classes from './check-token-dialog.module.css'
import { compareClaims, decodeClaims, type ClaimComparison } from './compare-claims.ts'

type Result = { scopes: string[] } | { message: string; hint: string | undefined }

/** Exchanges a token of a CI run and explains, claim by claim, why it is accepted or refused. */
export function CheckTokenDialog({
  publisher,
  onClose,
}: {
  publisher: TrustedPublisher
  onClose: () => void
}) {
  const [result, setResult] = useState<Result>()
  const [claims, setClaims] = useState<ClaimComparison[]>()
  const form = useForm({
    initialValues: { token: '' },
    validate: { token: (token) => (decodeClaims(token) === undefined ? publisherText.notJwt : null) },
  })
  async function check(token: string): Promise<void> {
    setClaims(compareClaims(publisher, decodeClaims(token) ?? {}))
    try {
      const { data } = await api.exchangeToken({
        body: { token: token.trim(), application_id: publisher.application_id },
      })
      setResult({ scopes: data.scopes })
    } catch (error) {
      if (!(error instanceof QuaysideError) || !error.code.startsWith('oidc.')) throw error
      setResult({ message: error.message, hint: exchangeHints[error.code] })
    }
  }
  return (
    <FormDialog
      title={`Check a token for ${publisher.name}`}
      submitLabel="Check"
      size="lg"
      form={form}
      onClose={onClose}
      onSubmit={({ token }) => check(token)}
    >
      <Textarea
        label="Token"
        description={publisherText.check}
        minRows={4}
        maxRows={8}
        autosize
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('token')}
      />
      {result !== undefined && <ResultNote result={result} />}
      {claims !== undefined && <ClaimTable claims={claims} />}
    </FormDialog>
  )
}

function ResultNote({ result }: { result: Result }) {
  if ('scopes' in result)
    return (
      <Notice kind="good" icon={<IconCheck size={18} />}>
        {publisherText.accepted} Its scopes: {result.scopes.join(', ')}.
      </Notice>
    )
  return (
    <Notice kind="bad" icon={<IconX size={18} />}>
      <strong>{result.message}</strong> {result.hint}
    </Notice>
  )
}

function ClaimTable({ claims }: { claims: readonly ClaimComparison[] }) {
  return (
    <Table layout="fixed" className={classes.claims}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Claim</Table.Th>
          <Table.Th>Required</Table.Th>
          <Table.Th>In the token</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {claims.map(({ name, required, actual, isMatch }) => (
          <Table.Tr key={name}>
            <Table.Td>
              {isMatch ? (
                <IconCheck size={14} color="var(--q-good)" aria-label="Matches" />
              ) : (
                <IconX size={14} color="var(--q-bad)" aria-label="Differs" />
              )}{' '}
              <code>{name}</code>
            </Table.Td>
            <Table.Td>{required}</Table.Td>
            <Table.Td>{actual}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
