import { PageHeader } from '../../ui/page-header.tsx'

export function ForgotPasswordPage() {
  return <PageHeader title="Reset your password" />
}
