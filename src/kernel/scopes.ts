/** What an API key may do. `admin` lets an administrator's key act as one. */
export const API_SCOPES = [
  'read',
  'campaigns:write',
  'donations:write',
  'impact:write',
  'updates:write',
  'webhooks:write',
  'notifications:write',
  'milestones:verify',
  'admin',
] as const
export type ApiScope = (typeof API_SCOPES)[number]
