import { Button } from '@mantine/core'
import type { IosInstallationCheck } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { settingsText } from '../../text/settings.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconRefresh } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { StateBadge } from '../../ui/status/state-badge.tsx'
import { iosInstallationQuery } from './workspace.queries.ts'

/** Shows whether iPhones and iPads can install apps from this server. */
export function IosSection() {
  const query = useQuery(iosInstallationQuery)
  return (
    <SettingsSection
      title="iOS installation"
      description={settingsText.iosInstallation}
      action={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} />}
          loading={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Check again
        </Button>
      }
    >
      <Loaded query={query}>
        {({ public_url: url, findings }) => (
          <ItemList label={`Findings for ${url}`}>
            {findings.map((finding) => (
              <FindingItem key={finding.detail} finding={finding} url={url} />
            ))}
          </ItemList>
        )}
      </Loaded>
    </SettingsSection>
  )
}

const states = {
  ok: { tone: 'good', label: 'OK' },
  warning: { tone: 'warn', label: 'Warning' },
  failure: { tone: 'bad', label: 'Failed' },
} as const

type FindingProps = { finding: IosInstallationCheck['findings'][number]; url: string }

function FindingItem({ finding: { status, detail, advice }, url }: FindingProps) {
  const { tone, label } = states[status]
  return (
    <Item
      title={capitalized(detail)}
      detail={advice ?? url}
      end={<StateBadge tone={tone}>{label}</StateBadge>}
    />
  )
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
