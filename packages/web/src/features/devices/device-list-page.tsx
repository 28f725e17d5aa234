import { Box, Button, Group, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { deviceText } from '../../text/distribution/devices.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { IconDeviceMobile, IconDownload, IconPlus } from '../../ui/icons/icons.ts'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { DeviceDialog } from './device-dialog.tsx'
import { DeviceTable } from './device-table.tsx'
import { devicesQuery } from './device.queries.ts'

/** Lists the devices that testers have registered. */
export function DeviceListPage() {
  const { can } = useSession()
  const [search, setSearch] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const query = useInfiniteQuery({ ...devicesQuery(search), placeholderData: keepPreviousData })
  const isEmpty = search === '' && query.data?.pages[0]?.pagination.total === 0
  const add = can('distribution_groups:create') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
      Add a device
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Devices"
        facts={deviceText.facts}
        actions={
          isEmpty ? undefined : (
            <>
              <Button
                variant="default"
                leftSection={<IconDownload size={16} />}
                onClick={() => void exportDevices().catch(showFailure)}
              >
                Export for Apple
              </Button>
              {add}
            </>
          )
        }
      />
      {isEmpty ? (
        <EmptyState
          icon={<IconDeviceMobile size={22} />}
          title="No devices yet"
          action={
            add === false ? undefined : (
              <>
                <Group justify="center">{add}</Group>
                <CommandLine code='quayside api POST /devices -f udid=00008140-001A2B3C4D5E6F70 -f name="iPhone"' />
              </>
            )
          }
        >
          {deviceText.explanation}
        </EmptyState>
      ) : (
        <>
          <Box maw={320} mb="sm">
            <SearchField
              label="devices"
              placeholder="Name, UDID or product"
              maxLength={100}
              value={search}
              onChange={setSearch}
            />
          </Box>
          <Loaded query={query} rows={6}>
            {({ pages }) => {
              const devices = pages.flatMap(({ data }) => data)
              return devices.length === 0 ? (
                <Text c="dimmed" fz="sm">
                  {deviceText.noMatch}
                </Text>
              ) : (
                <DeviceTable devices={devices} />
              )
            }}
          </Loaded>
          <LoadMore query={query}>Show more devices</LoadMore>
        </>
      )}
      {isAdding && <DeviceDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}

/** Saves the devices in the format that the Apple Developer portal accepts. */
async function exportDevices(): Promise<void> {
  const { filename, content, device_count: count } = (await api.exportDevices({})).data
  saveFile(filename, content, 'text/plain;charset=utf-8')
  showDone(deviceText.exported(count))
}
