import type { Caller, TestApi } from './api.ts'

/** Two users, and an admin. */
export const twoUsersAndAdmin = async (api: TestApi): Promise<[Caller, Caller, Caller]> => [
  await api.signIn(),
  await api.signIn(),
  await api.signIn({ roles: ['admin'] }),
]
