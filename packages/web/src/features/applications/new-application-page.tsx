import { PageHeader } from '../../ui/page-header.tsx'

export function NewApplicationPage() {
  return <PageHeader title="New application" />
}
