import { Select, Stack, Text } from '@mantine/core'
import type { Platform } from '@quayside/sdk'
import { useState } from 'react'
import { permalinkText } from '../../text/distribution/permalinks.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { QrCodeButton } from '../../ui/phone/qr-code-button.tsx'
import { permalinkUrl } from './permalink-url.ts'
import classes from './permalink.module.css'

type Props = {
  applicationId: string
  /** What the link leads to, such as `releases/latest`. */
  path: string
  /** A sentence about what the link leads to. */
  hint: string
  platforms: readonly Pick<Platform, 'identifier' | 'name'>[]
}

/** Shows the permalink for each platform with its badge, both ready to copy. */
export function Permalink({ applicationId, path, hint, platforms }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const platform = platforms.find(({ identifier }) => identifier === chosen) ?? platforms[0]
  if (platform === undefined) return null
  const url = permalinkUrl(applicationId, path, platform)
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
        <QrCodeButton position="bottom-end" url={url} label={`the latest build for ${platform.name}`} />
      </div>
      <Badge key={url} url={url} name={platform.name} />
      <Text fz="xs" c="dimmed">
        {permalinkText.access}
      </Text>
    </Stack>
  )
}

/** Shows the badge of a permalink. It cannot be loaded until there is a build. */
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
