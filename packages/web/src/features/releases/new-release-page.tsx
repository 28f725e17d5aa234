import { PageHeader } from '../../ui/page-header.tsx'

export function NewReleasePage() {
  return <PageHeader title="New release" />
}
