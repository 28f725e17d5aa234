import { PageHeader } from '../../ui/page-header.tsx'

export function GroupPage() {
  return <PageHeader title="Group" />
}
