import { PageHeader } from '../../ui/page-header.tsx'

export function ReleaseListPage() {
  return <PageHeader title="Releases" />
}
