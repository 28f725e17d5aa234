import { PageHeader } from '../../ui/page-header.tsx'

export function BuildListPage() {
  return <PageHeader title="Builds" />
}
