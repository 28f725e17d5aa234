import { Modal, PasswordInput, Stack, Text, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { verdictTexts } from '../../text/signature.ts'
import { webhookText } from '../../text/webhooks.ts'
import { useNow } from '../../ui/format/now.ts'
import { relativeTime } from '../../ui/format/time.ts'
import { Notice } from '../../ui/notice.tsx'
import { parseHeaders, verifySignature, type Verdict } from './signature.ts'

type Props = { onClose: () => void; initialHeaders?: string; initialBody?: string }

/** Verifies the signature of a pasted request in the browser. */
export function SignatureChecker({ onClose, initialHeaders = '', initialBody = '' }: Props) {
  const [headerText, setHeaderText] = useState(initialHeaders)
  const [body, setBody] = useState(initialBody)
  const [secret, setSecret] = useState('')
  const [verdict, setVerdict] = useState<Verdict>()
  const isComplete = headerText.trim() !== '' && body !== '' && secret !== ''
  useEffect(() => {
    let isCurrent = true
    setVerdict(undefined)
    if (isComplete && window.isSecureContext)
      void verifySignature({ headers: parseHeaders(headerText), body, secret }).then((result) => {
        if (isCurrent) setVerdict(result)
      })
    return () => {
      isCurrent = false
    }
  }, [isComplete, headerText, body, secret])
  return (
    <Modal opened onClose={onClose} title="Check a signature" size="lg">
      <Stack>
        <Text fz="sm" c="dimmed">
          {webhookText.checker}
        </Text>
        {!window.isSecureContext && <Notice kind="warn" title={webhookText.checkerNeedsHttps} />}
        <Textarea
          label="Headers"
          placeholder={'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
          autosize
          minRows={3}
          maxRows={8}
          ff="monospace"
          data-autofocus
          value={headerText}
          onChange={(event) => setHeaderText(event.currentTarget.value)}
        />
        <Textarea
          label="Body"
          description={webhookText.rawBody}
          placeholder='{"id": "…", "event": "build.created", …}'
          autosize
          minRows={4}
          maxRows={12}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        <PasswordInput
          label="Secret"
          placeholder="whsec_…"
          autoComplete="off"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <div aria-live="polite">
          {verdict !== undefined && <VerdictBanner verdict={verdict} headerText={headerText} />}
        </div>
      </Stack>
    </Modal>
  )
}

const toleranceSeconds = 5 * 60

function VerdictBanner({ verdict, headerText }: { verdict: Verdict; headerText: string }) {
  const now = useNow()
  const isValid = verdict === 'valid' || verdict === 'valid-without-newline'
  const isIncomplete = verdict === 'no-signature' || verdict === 'no-id'
  const timestamp = Number(parseHeaders(headerText).get('webhook-timestamp'))
  const isOld = isValid && timestamp > 0 && now / 1000 - timestamp > toleranceSeconds
  const { title, detail } = verdictTexts[verdict]
  return (
    <Notice kind={isValid ? 'good' : isIncomplete ? 'info' : 'bad'} title={title}>
      {detail}
      {isOld && ` ${webhookText.oldSignature(relativeTime(new Date(timestamp * 1000).toISOString(), now))}`}
    </Notice>
  )
}
