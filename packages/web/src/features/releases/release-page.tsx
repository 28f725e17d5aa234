import { PageHeader } from '../../ui/page-header.tsx'

export function ReleasePage() {
  return <PageHeader title="Release" />
}
