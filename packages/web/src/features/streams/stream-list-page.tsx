import { PageHeader } from '../../ui/page-header.tsx'

export function StreamListPage() {
  return <PageHeader title="Streams" />
}
