import { PageHeader } from '../../ui/page-header.tsx'

export function ActivityPage() {
  return <PageHeader title="Activity" />
}
