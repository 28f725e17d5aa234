import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'

export function NotFoundPage() {
  return (
    <EmptyState
      icon={<IconMapOff size={22} />}
      title="Page not found"
      action={
        <Button component={Link} to="/">
          Go to Home
        </Button>
      }
    >
      The page does not exist, has been deleted, or you do not have access to it.
    </EmptyState>
  )
}
