export const lastDays = (days: number): string => (days === 1 ? 'Last 24 hours' : `Last ${days} days`)
