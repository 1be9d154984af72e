import { createDocument } from '../../src/api/openapi/document.ts'
import { createOperations } from '../../src/api/routes/index.ts'
import type { AppDeps } from '../../src/edge/deps.ts'
import type { Operation } from '../../src/edge/operation.ts'
import type { Settings } from '../../src/kernel/settings.ts'

export type Interface = { operations: readonly Operation[]; text: string }

/**
 * The operations of a deployment and their document. They have no database, so they cannot be
 * called.
 */
export const readInterface = (settings: Partial<Settings> = {}): Interface => {
  const deps = readOnly({
    settings: {
      environment: 'sandbox',
      publicUrl: 'http://localhost:3000',
      listenPorts: [3000],
      mailIsPrinted: true,
      blockedCountries: new Set<string>(),
      ...settings,
    },
    devChain: {},
    version: '0.0.0',
  })
  const operations = createOperations(deps, () => '{}')
  return { operations, text: createDocument(operations, deps)() }
}

/** The operations of a production deployment, which has no sandbox. */
export const readProductionInterface = (): Interface =>
  readInterface({
    environment: 'production',
    publicUrl: 'https://api.fundproof.org',
    listenPorts: [3000],
    mailIsPrinted: false,
  })

/**
 * Creating and describing operations needs only these fields. The missing fields are for requests.
 */
const readOnly = (deps: object): AppDeps => deps as AppDeps
