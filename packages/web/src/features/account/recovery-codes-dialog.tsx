import { Button, Group } from '@mantine/core'
import { serviceUrl } from '../../api/browser.ts'
import { accountText } from '../../text/account.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { IconCheck, IconCopy, IconDownload } from '../../ui/icons/icons.ts'
import { saveFile } from '../../ui/save-file.ts'
import classes from './security.module.css'

/** Shows the recovery codes once. The dialog closes only by its button, so that nobody loses the codes by accident. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n')
  const download = () => saveFile('quayside-recovery-codes.txt', `${serviceUrl}\n\n${text}\n`, 'text/plain')
  return (
    <DoneDialog
      title="Save your recovery codes"
      label="I have saved them"
      keepsOpen="until the button is pressed"
      onClose={onClose}
      actions={
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={download}
            data-autofocus
          >
            Download
          </Button>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
      }
    >
      <div>{accountText.recoveryCodes}</div>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </DoneDialog>
  )
}
