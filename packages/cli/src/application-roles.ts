import type { ReplaceApplicationTeamParams } from '@quayside/sdk'

export type ApplicationRole = ReplaceApplicationTeamParams['body']['role']

/** The roles that people and teams can have in an application. */
export const applicationRoles: readonly ApplicationRole[] = ['admin', 'developer', 'qa', 'readonly']
