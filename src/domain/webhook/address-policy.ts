import type { Settings } from '../../kernel/settings.ts'
import type { AddressPolicy } from '../../webhooks/index.ts'

/** Which addresses this deployment calls: https only outside the sandbox, loopback by setting. */
export const addressPolicy = (
  settings: Pick<Settings, 'environment' | 'webhooksAllowLoopback'>,
): AddressPolicy => ({
  requireHttps: settings.environment !== 'sandbox',
  allowLoopback: settings.webhooksAllowLoopback,
})
