import { PageHeader } from '../../ui/page-header.tsx'

export function WebhookListPage() {
  return <PageHeader title="Webhooks" />
}
