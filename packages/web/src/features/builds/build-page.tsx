import { PageHeader } from '../../ui/page-header.tsx'

export function BuildPage() {
  return <PageHeader title="Build" />
}
