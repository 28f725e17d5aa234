import { PageHeader } from '../../ui/page-header.tsx'

export function PortalListPage() {
  return <PageHeader title="Portals" />
}
