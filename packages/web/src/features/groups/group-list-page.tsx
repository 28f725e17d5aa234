import { PageHeader } from '../../ui/page-header.tsx'

export function GroupListPage() {
  return <PageHeader title="Groups" />
}
