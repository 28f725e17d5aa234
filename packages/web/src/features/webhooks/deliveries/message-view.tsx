import { SegmentedControl, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { webhookText } from '../../../text/webhooks.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { JsonView, prettyJson } from '../../../ui/json-view.tsx'
import classes from './message-view.module.css'

type Props = {
  /** What is shown, for screen readers, such as "response". */
  label: string
  startLine: string | undefined
  headers: Readonly<Record<string, string>>
  body: string
  /** Why there is nothing to show. */
  missing: string | undefined
}

/** Shows the headers and the body of a request or a response. JSON can be shown indented or as it was sent. */
export function MessageView({ label, startLine, headers, body, missing }: Props) {
  const [view, setView] = useState<'pretty' | 'raw'>('pretty')
  const pretty = prettyJson(body)
  const names = Object.keys(headers).toSorted()
  return (
    <div className={classes.message}>
      {missing !== undefined && <Text fz="sm">{missing}</Text>}
      {startLine !== undefined && <code className={classes.start}>{startLine}</code>}
      {names.length > 0 && (
        <table className={classes.headers} aria-label={`${label} headers`}>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{headers[name]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {body !== '' && (
        <>
          <div className={classes.bodyBar}>
            <span className={classes.bodyTitle}>Body</span>
            {pretty !== undefined && (
              <SegmentedControl
                size="xs"
                aria-label="Body view"
                value={view}
                onChange={setView}
                data={[
                  { value: 'pretty', label: 'Pretty' },
                  { value: 'raw', label: 'Raw' },
                ]}
              />
            )}
            <CopyButton value={body}>
              {({ copied, copy }) => (
                <UnstyledButton fz="xs" c="dimmed" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </UnstyledButton>
              )}
            </CopyButton>
          </div>
          <JsonView text={view === 'pretty' ? (pretty ?? body) : body} label={`${label} body`} />
        </>
      )}
      {body === '' && missing === undefined && (
        <Text fz="sm" c="dimmed">
          {webhookText.emptyBody}
        </Text>
      )}
    </div>
  )
}
