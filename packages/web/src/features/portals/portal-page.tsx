import { PageHeader } from '../../ui/page-header.tsx'

export function PortalPage() {
  return <PageHeader title="Portal" />
}
