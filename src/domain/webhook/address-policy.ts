import type { Settings } from '../../kernel/settings.ts'
import type { AddressPolicy } from '../../webhooks/index.ts'

/** The address policy of this deployment: https outside the sandbox, loopback only by setting. */
export const addressPolicy = (
  settings: Pick<Settings, 'environment' | 'webhooksAllowLoopback'>,
): AddressPolicy => ({
  requireHttps: settings.environment !== 'sandbox',
  allowLoopback: settings.webhooksAllowLoopback,
})
