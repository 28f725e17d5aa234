import type { Platform } from '@quayside/sdk'
import { serviceUrl } from '../../api/browser.ts'

/** Returns the permalink for a platform. `path` is what it leads to, such as `releases/latest`. */
export const permalinkUrl = (
  applicationId: string,
  path: string,
  { identifier }: Pick<Platform, 'identifier'>,
): string => `${serviceUrl}/d/${applicationId}/${path}/${identifier}`
