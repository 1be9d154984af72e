import type { Caller, TestApi } from './api.ts'

/** Signs in two users and an administrator. */
export const twoUsersAndAdmin = async (api: TestApi): Promise<[Caller, Caller, Caller]> => [
  await api.signIn(),
  await api.signIn(),
  await api.signIn({ roles: ['admin'] }),
]
