/** The scopes of an API key. An administrator's key needs `admin` for administrator rights. */
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
