import { startService } from '../../support/service.ts'

export type LiveService = { url: string; output(): string; stop(): Promise<void> }

/**
 * Starts the service as `npm start` does. A key may send 90 requests a minute, so that a client
 * reaches this limit soon.
 */
export const startLiveService = async (): Promise<LiveService> => {
  const { runtime, ...service } = await startService({
    CORS_ORIGINS: '*',
    RATE_LIMIT_ANONYMOUS: '0',
    RATE_LIMIT_USER: '90',
  })
  return { url: runtime.apiUrl, ...service }
}
