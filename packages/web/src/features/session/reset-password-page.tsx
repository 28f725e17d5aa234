import { PageHeader } from '../../ui/page-header.tsx'

export function ResetPasswordPage() {
  return <PageHeader title="Choose a new password" />
}
