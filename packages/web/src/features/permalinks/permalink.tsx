import { ActionIcon, Select, Stack, Text } from '@mantine/core'
import type { Platform } from '@quayside/sdk'
import { useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { permalinkText } from '../../text/distribution/permalinks.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { IconQrcode } from '../../ui/icons/icons.ts'
import { QrCodeButton } from '../../ui/phone/qr-code-button.tsx'
import classes from './permalink.module.css'

type Props = {
  applicationId: string
  /** What the link finds, such as `releases/latest`. */
  path: string
  /** What to say about where the link leads. */
  hint: string
  platforms: readonly Pick<Platform, 'identifier' | 'name'>[]
}

/** Shows the permalink of a platform and its badge, to copy. */
export function Permalink({ applicationId, path, hint, platforms }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const platform = platforms.find(({ identifier }) => identifier === chosen) ?? platforms[0]
  if (platform === undefined) return null
  const url = `${serviceUrl}/d/${applicationId}/${path}/${platform.identifier}`
  return (
    <Stack gap="sm">
      <Text fz="sm" className="soft">
        {hint}
      </Text>
      {platforms.length > 1 && (
        <Select
          label="Platform"
          data={platforms.map(({ identifier, name }) => ({ value: identifier, label: name }))}
          value={platform.identifier}
          onChange={setChosen}
          allowDeselect={false}
          searchable={platforms.length > 8}
        />
      )}
      <div className={classes.link}>
        <CommandLine code={url} label="permalink" wraps />
        <QrCodeButton
          position="bottom-end"
          url={url}
          label={`the latest build for ${platform.name}`}
          button={
            <ActionIcon variant="subtle" color="gray" aria-label="Show QR code">
              <IconQrcode size={16} />
            </ActionIcon>
          }
        />
      </div>
      <Badge key={url} url={url} name={platform.name} />
      <Text fz="xs" c="dimmed">
        {permalinkText.access}
      </Text>
    </Stack>
  )
}

/** Shows the badge of a permalink, or that there is no build. */
function Badge({ url, name }: { url: string; name: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  if (hasFailed)
    return (
      <Text fz="sm" className="soft">
        {permalinkText.noBuild}
      </Text>
    )
  return (
    <div className={classes.badge}>
      <img
        src={`${url}/badge.svg`}
        alt={`Badge for ${name}`}
        height={20}
        onError={() => setHasFailed(true)}
      />
      <CommandLine code={`[![${name}](${url}/badge.svg)](${url})`} label="badge as Markdown" />
    </div>
  )
}
