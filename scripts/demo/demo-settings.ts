/** The settings that seeding requires: no rate limits, visitors with addresses, and webhooks to this machine. */
export const demoSettings = {
  QUAYSIDE_RATE_LIMIT: '0',
  QUAYSIDE_BOOTSTRAP_RATE_LIMIT: '0',
  QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
  QUAYSIDE_PUBLIC_RATE_LIMIT: '0',
  QUAYSIDE_TRUSTED_PROXIES: '127.0.0.1,::1',
  QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
}
