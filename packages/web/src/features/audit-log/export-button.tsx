import { Button } from '@mantine/core'
import { allItems } from '@quayside/sdk'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { auditText } from '../../text/audit-log.ts'
import { csvType } from '../../ui/format/csv.ts'
import { localDay } from '../../ui/format/local-input.ts'
import { IconDownload } from '../../ui/icons/icons.ts'
import { saveFile } from '../../ui/save-file.ts'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { auditCsv } from './audit-csv.ts'
import { auditFilter, type AuditSearch } from './audit-log.search.ts'

const entriesPerPage = 100

/** Downloads every entry that matches the filters as a CSV file. */
export function ExportButton({ search }: { search: AuditSearch }) {
  const download = useMutation({
    mutationFn: async () => {
      // Entries that are added during the export must not shift the pages.
      const end = { created_before: new Date().toISOString() }
      const entries = await allItems((page) =>
        api.listAuditLog({
          ...end,
          ...auditFilter(search),
          page,
          per_page: entriesPerPage,
          sort_by: 'created_at',
          sort: 'desc',
        }),
      )
      const filename = `audit-log-${localDay(new Date())}.csv`
      saveFile(filename, auditCsv(entries), csvType)
      return entries.length
    },
    onSuccess: (count) => showDone(auditText.exported(count)),
    onError: showFailure,
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={14} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      Export CSV
    </Button>
  )
}
