import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './support/slow-first.ts'
import { slowestFiles } from './support/slowest-files.ts'

const root = join(import.meta.dirname, '..')
/** The path of the file into which CI wants the results as JSON. */
const report = process.env.TEST_REPORT

/**
 * Four projects: `unit` needs nothing but the code, `integration` gets one Postgres for the run,
 * `clients` runs the client libraries in their interpreters, `browser` opens the pages in Chromium.
 */
export default defineConfig({
  test: {
    root,
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    setupFiles: ['test/support/after-file.ts'],
    sequence: { sequencer: SlowFirst },
    reporters: ['default', slowestFiles, ...(report === undefined ? [] : ['json'])],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/*.test.ts', 'test/unit/**/*.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/{integration,property,fault,e2e,simulation}/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: ['test/clients/**/*.test.ts'],
          globalSetup: ['test/clients/support/shared.ts'],
          maxConcurrency: 3,
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/support/chromium.ts'],
          testTimeout: 240_000,
        },
      },
    ],
  },
})
