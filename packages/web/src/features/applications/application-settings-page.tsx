import { PageHeader } from '../../ui/page-header.tsx'

export function ApplicationSettingsPage() {
  return <PageHeader title="Settings" />
}
