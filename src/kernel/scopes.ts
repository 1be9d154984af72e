/** The scopes of an API key. An administrator's key has administrator rights only with `admin`. */
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
