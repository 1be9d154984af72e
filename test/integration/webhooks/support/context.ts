import { loadConfig } from '../../../../src/config/config.ts'
import type { Database } from '../../../../src/db/client.ts'
import type { Context, Wake } from '../../../../src/db/context.ts'
import { createAssetCatalogue } from '../../../../src/kernel/money/assets.ts'
import type { Clock } from '../../../../src/kernel/ports/clock.ts'
import { createLog } from '../../../../src/kernel/ports/log.ts'
import { noMetrics } from '../../../../src/kernel/ports/metrics.ts'
import { noSanctions } from '../../../../src/kernel/ports/sanctions.ts'
import { createSecretBox } from '../../../../src/kernel/ports/secrets.ts'
import { noTracing } from '../../../../src/kernel/ports/tracing.ts'
import { noContracts } from '../../../support/no-contracts.ts'
import { createTestVerifier } from '../../../support/world.ts'

/** A service in the sandbox. It may call this machine, and prints its mail. */
export const createContext = (sql: Database, clock: Clock, wake: Wake = () => {}): Context => ({
  sql,
  pool: sql,
  actor: { kind: 'system' },
  requestId: 'req-test',
  clock,
  log: createLog(process.env.TEST_LOG_LEVEL ?? 'silent', 'test'),
  wake,
  settings: {
    environment: 'sandbox',
    publicUrl: 'http://localhost:3000',
    listenPorts: [3000],
    assets: createAssetCatalogue([], {}),
    chains: [],
    defaultCurrency: 'USDC',
    requireAccountProof: false,
    webhooksAllowLoopback: true,
    donationExpiryMs: 3_600_000,
    intentExpiryMs: 24 * 3_600_000,
    depositGraceMs: 3_600_000,
    retention: loadConfig({}).retention,
    multisigThreshold: '10000',
    multisigRequired: 2,
    escrow: false,
    escrowMaxTarget: undefined,
    blockedCountries: new Set(),
    countryHeader: undefined,
    mailIsPrinted: true,
  },
  secrets: createSecretBox('a secret of at least thirty-two letters'),
  signatures: createTestVerifier(),
  contracts: noContracts,
  sanctions: noSanctions,
  metrics: noMetrics,
  tracer: noTracing,
})
