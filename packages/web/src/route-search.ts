import { texts } from './api/search-params.ts'

// TypeScript infers the names of these parameters only outside of the routes that use them.
export const signInSearch = texts('next', 'link', 'error')
export const uploadSearch = texts('application')
export const newReleaseSearch = texts('builds')
export const tabSearch = texts('tab')
export const webhookSearch = texts('request', 'state', 'event')
export const releaseSearch = texts('tab', 'tables', 'metric')
